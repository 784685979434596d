import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type RequestHandler, Router } from 'express'
import { ROOT } from '#shared/runtime/config.ts'

/**
 * A static file of the signed-out pages, read once. Its address contains the hash of its content, so browsers may cache
 * it indefinitely. Colours and controls are the client's, from web/src/styles and web/src/ui.
 */
interface Asset {
  /** `/pages/<name>.<hash>.<extension>` */
  path: string
  type: string
  body: Buffer
}

const here = (name: string) => readFileSync(join(import.meta.dirname, name))
const ofClient = (name: string) => readFileSync(join(ROOT, 'web/src', name))
const face = createRequire(import.meta.url).resolve(
  '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2',
)

const font = asset('hanken-grotesk', 'woff2', 'font/woff2', readFileSync(face))
const styles = ['styles/tokens.css', 'styles/base.css', 'ui/controls.css']
  .map(ofClient)
  .concat(here('pages.css'), here('scene.css'))
  .join('\n')

export const assets = {
  font,
  styles: asset('pages', 'css', 'text/css', styles.replace('hanken-grotesk.woff2', font.path)),
  script: asset('forms', 'js', 'text/javascript', withoutComments(here('forms.js').toString())),
  logo: asset('logo', 'svg', 'image/svg+xml', ofClient('ui/logo.svg')),
}

/** Drops comments on lines of their own, and the indentation. */
function withoutComments(script: string) {
  return script.replace(/^\s*(?:\/\/.*\n\s*)*/gm, '')
}

export const scene = here('scene.svg').toString()

function asset(name: string, extension: string, type: string, content: Buffer | string): Asset {
  const body = Buffer.from(content)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10)
  return { path: `/pages/${name}.${hash}.${extension}`, type, body }
}

export function assetRoutes(): Router {
  const routes = Router()
  for (const { path, type, body } of Object.values(assets)) {
    const [name, , extension] = path.split('/').at(-1)!.split('.')
    const send: RequestHandler = (req, res) => {
      // During an upgrade a page of another version requests another hash: send the current content, but do not let it
      // be cached under that address.
      const isThis = req.path === path
      res
        .set('Cache-Control', isThis ? 'public, max-age=31536000, immutable' : 'no-cache')
        .type(type)
        .send(body)
    }
    routes.get(`/pages/${name}.:hash.${extension}`, send)
  }
  return routes
}
