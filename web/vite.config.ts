import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Of lightningcss: Features.DirSelector. */
const LEAVE_DIR = 4

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  base: '/',
  // `:dir()` as it is: what it would be turned into asks for languages, and nobody says in which language a message is.
  css: { lightningcss: { exclude: LEAVE_DIR } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no data: fonts, and a file with a hash is cached for good.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All of the first load in one file: it compresses better, and comes in one answer.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] } } },
  },
  plugins: [headScript(), iconSprite(), preloadFace(), serviceWorker(), compressedForms()],
})

/**
 * The theme must be known before the first paint, and what the first screen shows is asked for before the bundle is here:
 * a small classic script of its own in the head.
 */
function headScript(): Plugin {
  const source = () => ['theme.js', 'early.js'].map(file => readFileSync(here(file), 'utf8')).join('')
  let name = '/head.js'
  return {
    name: 'bothy-head',
    configureServer(server) {
      server.middlewares.use('/head.js', (_req, res) => {
        res.setHeader('Content-Type', 'text/javascript')
        res.end(source())
      })
    },
    generateBundle() {
      const plain = source().replaceAll(/^ *\/\/.*\n/gm, '')
      const reference = this.emitFile({ type: 'asset', name: 'head.js', source: plain })
      name = `/${this.getFileName(reference)}`
    },
    transformIndexHtml: {
      order: 'post',
      handler: html => html.replace('<!-- bothy:script -->', `<script src="${name}"></script>`),
    },
  }
}

/** The icons stand in the page itself: nothing flashes, and the page's styles reach into them. */
function iconSprite(): Plugin {
  return {
    name: 'bothy-icons',
    transformIndexHtml: html =>
      html.replace(
        '<!-- bothy:icons -->',
        readFileSync(here('src/ui/icons.svg'), 'utf8').replaceAll('\n', ''),
      ),
  }
}

/** The latin file of the face is needed by every page; the others load by unicode-range. */
function preloadFace(): Plugin {
  return {
    name: 'bothy-face',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const face = Object.keys(bundle ?? {}).find(name =>
          /hanken-grotesk-latin-wght-normal.*\.woff2$/.test(name),
        )
        if (!face) return []
        const attrs = { rel: 'preload', href: `/${face}`, as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs, injectTo: 'head' as const }]
      },
    },
  }
}

/** Every file of the build but the faces of other scripts, which come when they are needed, is kept from the start. */
function serviceWorker(): Plugin {
  return {
    name: 'bothy-service-worker',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.keys(bundle)
          .filter(
            name => name.startsWith('assets/') && (!name.endsWith('.woff2') || /-latin-wght/.test(name)),
          )
          .map(name => `/${name}`)
          .sort()
        const build = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
        const head = `const BUILD = '${build}'\nconst FILES = ${JSON.stringify(files)}\n`
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: head + readFileSync(here('sw.js'), 'utf8'),
        })
      },
    },
  }
}

/** The server compresses nothing while somebody waits: the forms stand beside the files (services/api/pages/client-files.ts). */
function compressedForms(): Plugin {
  const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  return {
    name: 'bothy-compressed',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/^assets\/.*\.(js|css|svg)$/.test(fileName)) continue
          const content = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          const forms = { br: brotliCompressSync(content, smallest), gz: gzipSync(content, { level: 9 }) }
          for (const [ending, source] of Object.entries(forms))
            this.emitFile({ type: 'asset', fileName: `${fileName}.${ending}`, source })
        }
      },
    },
  }
}
