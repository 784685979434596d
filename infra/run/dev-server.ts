import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import prefresh from '@prefresh/vite'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import { ROOT } from '#shared/runtime/config.ts'
import type { FrontDoor } from './front-door.ts'

export interface DevServerOptions {
  /** Address of the front door, which serves everything that is not a source file of the client. */
  frontDoor: string
  port: number
  /** Default: this machine only, since it serves source files. */
  host?: string | undefined
}

/** Paths that Vite serves: its own modules, sources, dependencies, and the files of web/public. */
const OF_VITE = /^\/(@|src\/|node_modules\/|head\.js|icons\/|manifest\.webmanifest)/
/** The data that the api puts into the head of the page (services/api/pages/routes.ts). */
const DATA_IN_HEAD =
  /<meta name="csrf-token"[^>]*><meta name="viewer"[^>]*>(?:<script type="application\/json"[^>]*>.*?<\/script>)?/s
/** Vite inserts styles as elements and connects by a WebSocket. Everything else is as in production. */
const DEV_POLICY = { "style-src 'self'": "style-src 'self' 'unsafe-inline'" }

/** Vite's dev server in front of the whole stack: client sources with hot reload, the rest from the front door. */
export async function openDevServer({ frontDoor, port, host }: DevServerOptions): Promise<FrontDoor> {
  const vite = await createServer({
    configFile: join(ROOT, 'web/vite.config.ts'),
    appType: 'custom',
    clearScreen: false,
    logLevel: 'warn',
    // The package declares its type for CommonJS.
    plugins: [prefresh() as unknown as Plugin, pageOfApi(frontDoor)],
    server: {
      port,
      strictPort: true,
      host: host ?? '127.0.0.1',
      // Not the whole clone, which has the data folder.
      fs: { allow: ['web', 'shared/domain', 'node_modules'].map(folder => join(ROOT, folder)) },
      proxy: { [`^(?!${OF_VITE.source.slice(1)})`]: { target: frontDoor, xfwd: false } },
    },
  })
  await vite.listen()
  const { port: taken } = vite.httpServer!.address() as AddressInfo
  return { url: `http://localhost:${taken}`, port: taken, close: () => vite.close() }
}

/** Serves `/`: the source of the page, transformed by Vite, with the data that the api has for this session. */
function pageOfApi(frontDoor: string): Plugin {
  return {
    name: 'bothy-page',
    configureServer(server) {
      server.middlewares.use((req, res, next) => {
        if (req.method !== 'GET' || req.url?.split('?', 1)[0] !== '/') return next()
        servePage(server, frontDoor, req, res).catch(next)
      })
    },
  }
}

async function servePage(vite: ViteDevServer, frontDoor: string, req: IncomingMessage, res: ServerResponse) {
  const response = await fetch(`${frontDoor}/`, {
    headers: { cookie: req.headers.cookie ?? '', 'accept-language': req.headers['accept-language'] ?? '' },
    redirect: 'manual',
  })
  const [data] = DATA_IN_HEAD.exec(await response.text()) ?? []
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies)
  const location = response.headers.get('Location')
  if (location) res.setHeader('Location', location)
  if (response.status !== 200 || data === undefined) return void res.writeHead(response.status).end()
  const source = await readFile(join(ROOT, 'web/index.html'), 'utf8')
  const page = await vite.transformIndexHtml('/', source)
  let policy = response.headers.get('Content-Security-Policy') ?? ''
  for (const [strict, relaxed] of Object.entries(DEV_POLICY)) policy = policy.replace(strict, relaxed)
  res.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
  })
  res.end(page.replace('<!-- bothy:head -->', () => data))
}
