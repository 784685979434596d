import { join } from 'node:path'
import express, { type RequestHandler, Router } from 'express'
import { ROOT } from '#shared/runtime/config.ts'

const DIST = join(ROOT, 'web/dist')
// Express keeps an existing Cache-Control, and `no-store` is already set: override it in setHeaders.
const plain = { index: false, redirect: false, cacheControl: false } as const
const FOR_GOOD = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'

const SMALLEST_FIRST = ['br', 'gzip'] as const
const ENDINGS = { br: '.br', gzip: '.gz' } as const
const COMPRESSED = /(\.(?:js|css|svg))(\.br|\.gz)$/

/** Public files: the client's assets, and those that browsers need to install it. No session. */
export function clientFileRoutes(): Router {
  const routes = Router()
  const assets = join(DIST, 'assets')
  // File names change with the content.
  const asset = express.static(assets, { ...plain, setHeaders: describeAsset })
  routes.use('/assets', inCompressedForm(asset), asset)
  routes.use(
    '/icons',
    express.static(join(DIST, 'icons'), {
      ...plain,
      setHeaders: res => res.set('Cache-Control', FOR_A_DAY),
    }),
  )
  for (const file of ['manifest.webmanifest', 'sw.js']) {
    // A cached service worker could never be replaced.
    routes.get(`/${file}`, (_req, res, next) => {
      res.sendFile(
        file,
        { root: DIST, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } },
        err => {
          if (err) next()
        },
      )
    })
  }
  return routes
}

/** Serves the precompressed file of the build, if the browser accepts it. */
function inCompressedForm(serve: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (!/\.(js|css|svg)$/.test(req.path)) return next()
    res.vary('Accept-Encoding')
    const encoding = SMALLEST_FIRST.find(one => req.acceptsEncodings(one))
    if (!encoding) return next()
    const { url } = req
    req.url = req.path + ENDINGS[encoding]
    serve(req, res, err => {
      req.url = url
      next(err)
    })
  }
}

function describeAsset(res: express.Response, path: string) {
  res.set('Cache-Control', FOR_GOOD)
  const [, extension, ending] = COMPRESSED.exec(path) ?? []
  if (extension) res.type(extension).set('Content-Encoding', ending === '.br' ? 'br' : 'gzip')
}
