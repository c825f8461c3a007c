"""Before a class: the teacher's page and its board, and what a student of a class sees."""
