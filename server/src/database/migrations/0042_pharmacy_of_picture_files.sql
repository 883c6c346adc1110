-- The files of pictures of orders name their pharmacy, whose id their keys begin with.
-- Locks: order_image_files, for an instant.

alter table order_image_files
  add column pharmacy_id uuid,
  add constraint order_image_files__of_pharmacy check (pharmacy_id is not null) not valid;

-- For rows of before, and for servers of the last release. The next release drops both.
create function pharmacy_of_file__until_next_release() returns trigger language plpgsql as $$
begin
  new.pharmacy_id := split_part(new.key, '/', 1)::uuid;
  return new;
end
$$;
create trigger order_image_files__until_next_release before insert or update on order_image_files
  for each row when (new.pharmacy_id is null) execute function pharmacy_of_file__until_next_release();
