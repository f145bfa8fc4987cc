"""Small models on this machine: ONNX files run by onnxruntime on the CPU. Nothing is fetched."""
