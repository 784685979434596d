/** Adds to the demo data a week of nightly backups: one not proven, one asked for by an owner. */
export async function seedBackups(admin: (sql: string) => Promise<unknown>): Promise<void> {
  await admin(`
    insert into backup_target (folder, problem, since_ts) values ('/backups', null, 0)
        on conflict (one) do update set folder = excluded.folder, problem = null;
    insert into backups (asked_by, asked_ts, started_ts, done_ts, path, bytes, ok, verified_ts, seconds_to_restore, report)
    select case when night = 2 then 'maya' end, at, at, at + 171, '/backups/' || to_char(to_timestamp(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24-MI-SS"Z"'),
           8400000000 - night * 31000000, night <> 4, case when night <> 4 then at + 171 end,
           case when night <> 4 then 40.2 + night % 3 end,
           case when night = 4 then '{"fault": "/backups has 0.21 GiB free, and the backup needs about 7.80 GiB: make room, or keep fewer backups."}'::jsonb
                else '{"rows": 412903, "tables": 58, "files": 9120, "missing": {"count": 0}, "seconds": 130}'::jsonb end
      from generate_series(7, 0, -1) night,
           lateral (select extract(epoch from date_trunc('day', now())) + 7200 - (night + 1) * 86400 as at) as time`)
}
