/** Links to this server in texts, which open in place. Pure but for the address of the page. */
import { routeOf } from './route.ts'

export interface OwnLink {
  /** Undefined until the channel of the message is known. */
  hash: string | undefined
  /** The message that it leads to. */
  message: number | undefined
}

/** Undefined for addresses elsewhere and for other pages of this server, such as files. */
export function ownLink(
  href: string,
  page: Pick<Location, 'origin' | 'pathname'> = location,
): OwnLink | undefined {
  if (!href.startsWith(page.origin) || !URL.canParse(href)) return undefined
  const { origin, pathname, search, hash } = new URL(href)
  if (origin !== page.origin || search !== '') return undefined
  const id = /^\/m\/([1-9]\d{0,15})$/.exec(pathname)?.[1]
  if (id !== undefined) return { hash: undefined, message: Number(id) }
  if (pathname !== page.pathname || routeOf(hash).channel === undefined) return undefined
  return { hash, message: routeOf(hash).message }
}
