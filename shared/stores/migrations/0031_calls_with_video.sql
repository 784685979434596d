-- Whether the call was begun with the camera (interface 10), which the card of an incoming call shows.
alter table calls add column video boolean not null default false;
