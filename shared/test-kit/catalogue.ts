import type pg from 'pg'

/**
 * Returns the schema `public` as text, for comparing two databases: tables with columns in their order, constraints,
 * indexes, triggers, owner and rights of the processes; sequences; functions with their text; default rights; extensions;
 * and the rows of every table but `schema_migrations`.
 */
export async function catalogueOf(client: pg.Client): Promise<string> {
  const sections: string[] = []
  for (const query of [TABLES, SEQUENCES, FUNCTIONS, REST]) {
    const { rows } = await client.query<{ text: string }>(query)
    sections.push(...rows.map(({ text }) => text))
  }
  return `${[...sections, ...(await seeds(client))].join('\n\n')}\n`
}

const HERE = `'public'::regnamespace`
/** Objects of extensions belong to their version. */
const OWN = (catalog: string) =>
  `not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${catalog}.oid and deptype = 'e')`
/** Owner, and what the role of the processes may do. */
const RIGHTS = (
  owner: string,
  rights: string,
) => `concat('owner ', pg_get_userbyid(${owner}), ', bothy_app: ',
   (select coalesce(string_agg(lower(privilege_type), ' ' order by privilege_type), 'default')
      from aclexplode(${rights}) where grantee = to_regrole('bothy_app')))`
const lines = (from: string) =>
  `coalesce((select string_agg(E'\\n  ' || line, '' order by at, line) ${from}), '')`

const TABLES = `
  select concat('table ', relname, ', kind ', relkind, relpersistence, ' ', reloptions, E'\\n  ', ${RIGHTS('relowner', 'relacl')},
    ${lines(`from (
        select row_number() over (order by attnum) as at,
               concat(attname, ' ', format_type(atttypid, atttypmod),
                      case when attnotnull then ' not null' end,
                      case attidentity when 'a' then ' always identity' when 'd' then ' default identity' end,
                      case when attgenerated <> '' then ' generated' end,
                      ' ' || pg_get_expr(adbin, adrelid),
                      case when attstorage <> typstorage then ' storage ' || attstorage::text end,
                      case when attcollation <> typcollation then ' collation ' || attcollation::regcollation end,
                      ' ' || attacl::text, ' statistics ' || attstattarget) as line
          from pg_attribute
          join pg_type on pg_type.oid = atttypid
          left join pg_attrdef on adrelid = attrelid and adnum = attnum
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped) of_column`)},
    ${lines(`from (
        select 0 as at, concat('constraint ', conname, ' ', pg_get_constraintdef(oid),
                               case when not convalidated then ' unchecked' end) as line
          from pg_constraint
         where conrelid = pg_class.oid) of_constraint`)},
    ${lines(`from (
        select 0 as at, concat(pg_get_indexdef(indexrelid), case when not indisvalid then ' invalid' end) as line
          from pg_index
         where indrelid = pg_class.oid
           and not exists (select from pg_constraint where conindid = indexrelid and indisvalid)) of_index`)},
    ${lines(`from (
        select 0 as at, concat(pg_get_triggerdef(oid), ' ', tgenabled) as line
          from pg_trigger
         where tgrelid = pg_class.oid and not tgisinternal) of_trigger`)}) as text
    from pg_class
   where relnamespace = ${HERE} and relkind in ('r', 'p', 'v', 'm') and ${OWN('pg_class')}
   order by relname`

const SEQUENCES = `
  select concat('sequence ', relname, ' ', seqtypid::regtype, ' from ', seqstart, ' by ', seqincrement, ' to ', seqmax,
                ' cache ', seqcache, case when seqcycle then ' cycle' end,
                ', ', ${RIGHTS('relowner', 'relacl')}) as text
    from pg_class
    join pg_sequence on seqrelid = pg_class.oid
   where relnamespace = ${HERE} and ${OWN('pg_class')}
   order by relname`

const FUNCTIONS = `
  select concat(rtrim(pg_get_functiondef(oid), E'\\n'),
                E'\\n', ${RIGHTS('proowner', 'proacl')}) as text
    from pg_proc
   where pronamespace = ${HERE} and prokind in ('f', 'p') and ${OWN('pg_proc')}
   order by oid::regprocedure::text`

const REST = `
  select concat('default rights of ', pg_get_userbyid(defaclrole), ' for ', defaclobjtype, ' ', defaclacl) as text
    from pg_default_acl
   union all
  select concat('extension ', extname) from pg_extension
   union all
  select concat('schema public, ', ${RIGHTS('nspowner', 'nspacl')})
    from pg_namespace where oid = ${HERE}
   union all
  select concat('type ', typname, ' ', typtype) from pg_type
   where typnamespace = ${HERE} and typtype in ('e', 'd', 'r') and ${OWN('pg_type')}
   union all
  select concat('statistics ', pg_get_statisticsobjdef(oid)) from pg_statistic_ext
   order by text`

async function seeds(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relnamespace = ${HERE} and relkind = 'r' and relname <> 'schema_migrations' order by relname`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(
      `select row_to_json(row)::text as text from ${name} row order by text`,
    )
    found.push(...rows.map(({ text }) => `row of ${name} ${text}`))
  }
  return found
}
