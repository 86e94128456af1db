"""What players are told by mail: written with the event, sent when it is due and still true."""
