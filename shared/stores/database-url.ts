/** Returns the URL of another database with the same server and role. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** A database of the same server that is not the given one, to create and rename it from. */
export const besides = (url: string): string =>
  withDatabase(url, new URL(url).pathname === '/postgres' ? 'template1' : 'postgres')
