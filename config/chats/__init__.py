"""Group chats as a door: what is said there comes in through the one intake, and what the observer says goes out (O13). Each
service stands behind the seam of `door.py`, in a module of its own."""
