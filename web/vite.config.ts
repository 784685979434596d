import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, minifySync, type Plugin, type Rolldown } from 'vite'
import { emojiTable } from './emoji-table.ts'

/** Features.DirSelector of lightningcss. */
const LEAVE_DIR = 4

/** The app is a single file: it compresses better, and needs one request. */
const APP = { name: 'index', tags: ['$initial' as const], priority: 1 }

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  base: '/',
  // Keeps `:dir()`: its transformation depends on languages, and messages do not state theirs.
  css: { lightningcss: { exclude: LEAVE_DIR } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids data: fonts, and hashed files are cached permanently.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [APP] } } },
  },
  plugins: [emojis(), headScript(), iconSprite(), preloadFace(), serviceWorker(), compressedForms()],
})

/** Resolves `virtual:emoji-table`, the data of the emoji picker. */
function emojis(): Plugin {
  const name = 'virtual:emoji-table'
  return {
    name: 'bothy-emoji',
    resolveId: id => (id === name ? `\0${name}` : undefined),
    load: id => (id === `\0${name}` ? `export default ${JSON.stringify(emojiTable())}` : undefined),
  }
}

/** Emits theme.js, language.js and watchdog.js as a classic script for the head: it runs before the first paint and the bundle. */
function headScript(): Plugin {
  const source = () =>
    ['theme.js', 'language.js', 'watchdog.js'].map(name => readFileSync(here(name), 'utf8')).join('')
  let name = '/theme.js'
  return {
    name: 'bothy-theme',
    configureServer(server) {
      server.middlewares.use('/theme.js', (_req, res) => {
        res.setHeader('Content-Type', 'text/javascript')
        res.end(source())
      })
    },
    generateBundle(_options, bundle) {
      const { code } = minifySync('theme.js', withStrings(source(), bundle))
      const reference = this.emitFile({ type: 'asset', name: 'theme.js', source: code })
      name = `/${this.getFileName(reference)}`
    },
    transformIndexHtml: {
      order: 'post',
      handler: html => html.replace('<!-- bothy:script -->', `<script src="${name}"></script>`),
    },
  }
}

/** Names the chunk of each language in language.js. */
function withStrings(source: string, bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  const files = ['en', 'de'].map(language => {
    const chunk = chunks.find(
      ({ facadeModuleId }) => facadeModuleId === here(`src/i18n/${language}/index.ts`),
    )
    if (!chunk) throw new Error(`No chunk with the strings of ${language}`)
    return [language, `/${chunk.fileName}`]
  })
  return source.replace('{} // bothy:strings', JSON.stringify(Object.fromEntries(files)))
}

/** Inlines the icons: they appear without a flash, and the page's styles apply to them. */
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

/** Preloads the latin file of the font, which every page needs; the others load by unicode-range. */
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

/** The service worker caches every file of the build except the fonts of other scripts, which load on demand. */
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

/** Compresses at build time, so that no request waits for it (services/api/pages/client-files.ts). */
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
