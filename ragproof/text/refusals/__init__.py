"""The words of declining, one file a language."""
