"""How the shipped model is made: free art, drawn decks, spoilt pictures of them, a small net, an ONNX file.

Needs the ``training`` extra (torch, onnx, resvg-py) and Node; nothing that runs at a table imports it.
"""
