"""The lobby: creating, finding, joining and leaving matches."""
