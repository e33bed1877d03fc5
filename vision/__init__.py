"""What the camera sees of the table: a second witness beside the scanner (vision.md).

``recognise`` tells which card an outline holds; ``table`` watches the slots of a calibrated table; ``capture``
brings frames in. The studio finds all of it by entry points and knows nothing of it.
"""
