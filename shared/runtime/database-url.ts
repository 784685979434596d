/**
 * PostgreSQL's addresses, of one server or of several: `postgres://user:password@a:5432,b:5432/database`. URL knows no
 * lists, so the servers are cut out before it reads the address.
 */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** The addresses of the single servers of a list, in its order. */
export function serversOf(url: string): string[] {
  const [, before, servers, after] = PARTS.exec(url) ?? []
  return servers?.includes(',') ? servers.split(',').map(server => `${before}${server}${after}`) : [url]
}

/** Without user and password, for messages and as a key. */
export function serverOf(url: string): string {
  const [, , servers] = PARTS.exec(url) ?? []
  return servers || new URL(url).host
}

/** libpq's option; `primary` and `read-write` ask for the same. */
export const sessionsWanted = (url: string): string | null =>
  new URL(serversOf(url)[0]!).searchParams.get('target_session_attrs')

/** True if each server of the list is an address. Every process writes, so that `any` or `standby` is a mistake. */
export function isDatabaseUrl(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url)) return false
  const servers = serversOf(url)
  return (
    servers.every(server => URL.canParse(server)) &&
    (servers.length === 1 || servers.every(server => serverOf(server) !== '')) &&
    ['read-write', 'primary', null].includes(sessionsWanted(url))
  )
}

/** Returns the URL of another database with the same servers and role. */
export function withDatabase(url: string, database: string): string {
  return changed(url, server => {
    server.pathname = `/${database}`
  })
}

/** Returns the URL of another role with the same servers and database. */
export function withRole(url: string, role: string, password: string): string {
  return changed(url, server => {
    server.username = role
    server.password = password
  })
}

export const databaseOf = (url: string): string =>
  decodeURIComponent(new URL(serversOf(url)[0]!).pathname.slice(1))

/** A database of the same server that is not the given one, to create and rename it from. */
export const besides = (url: string): string =>
  withDatabase(url, databaseOf(url) === 'postgres' ? 'template1' : 'postgres')

function changed(url: string, change: (server: URL) => void): string {
  const list = serversOf(url)
  const first = new URL(list[0]!)
  change(first)
  if (list.length === 1) return first.href
  return first.href.replace(PARTS, (_, before, _first, after) => before + serverOf(url) + after)
}
