import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Page {
  type?: string
  body: string | Uint8Array
  status?: number
  /** Delays the response until fulfilled. */
  after?: Promise<unknown>
}

/** A test web site that counts its requests per path. */
export interface Site {
  url: string
  /** Host and port, in the form of `preview_allow`. */
  host: string
  /** Pages by path; may be changed. */
  pages: Record<string, Page>
  asked(path: string): number
  close(): void
}

/** With `listen` 0.0.0.0 the site has every address of this machine; on Linux 127.0.0.1 to 127.255.255.254. */
export async function openSite(
  pages: Record<string, Page> = {},
  { listen = '127.0.0.1' } = {},
): Promise<Site> {
  const asked: string[] = []
  const server = createServer(async (req, res) => {
    const path = req.url!
    asked.push(path)
    const { type = 'text/html; charset=utf-8', body, status = 200, after } = pages[path] ?? NONE
    await after
    res.writeHead(status, { 'Content-Type': type }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, listen, resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    pages,
    asked: path => asked.filter(one => one === path).length,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const NONE: Page = { status: 404, body: 'no such page' }
