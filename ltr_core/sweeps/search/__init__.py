"""What is asked: the space, the samplers that propose points of it, the pruners that give some of them up."""
