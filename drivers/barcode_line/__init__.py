"""Any barcode reader that sends text lines over RS-232 or USB-CDC."""
