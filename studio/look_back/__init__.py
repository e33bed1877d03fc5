"""The look-back report: every round that a doubtful shoe, batch or time touched, as a worksheet for refunds."""
