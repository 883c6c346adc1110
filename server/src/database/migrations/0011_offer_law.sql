-- A declared prior price above the list price proves nothing: the highest that is plausible takes its place.
update product_offers set prior_price = list_price where prior_price > list_price;
alter table product_offers add constraint product_offers__prior_not_above_list check (prior_price <= list_price);
