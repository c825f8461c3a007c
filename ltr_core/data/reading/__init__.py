"""Reading: LETOR text, tables, Parquet, folders of folds; what is wrong with a file, line by line."""
