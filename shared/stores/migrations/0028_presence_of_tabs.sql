-- True while the tabs of a person report under names of their own: such a person is offline soon after the last report.
alter table presence add column by_tab boolean not null default false;
