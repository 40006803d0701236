-- Merges parts with few wide rows column by column, as the engine does for parts with many rows. Eleven parts of 60 MB in total took 380 MB
-- of memory row by row, and take 80 MB column by column.
ALTER TABLE traces MODIFY SETTING vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_bytes_to_activate = 16777216, merge_max_block_size_bytes = 1048576;
ALTER TABLE steps MODIFY SETTING vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_bytes_to_activate = 16777216, merge_max_block_size_bytes = 1048576;
ALTER TABLE spans MODIFY SETTING vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_bytes_to_activate = 16777216, merge_max_block_size_bytes = 1048576;
