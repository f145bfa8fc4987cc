"""Production traffic in: spans, plain lines and users' events, to cases without truth."""
