import { oneLine } from './one-line.ts'
import type { CodePreviewPayload } from './payloads/previews.ts'

const MOST_BYTES = 512 * 1024 // interface 4.4
/** Characters of a line at most, since a minified script is a single line. */
const LONGEST_LINE = 1_000
const LONGEST_NAME = 255
const LONGEST_PATH = 1_024

/** Text files by extension (interface 4.4). */
const EXTENSIONS = new Set(
  `txt text log md markdown mdx rst adoc asciidoc org tex bib csv tsv diff patch
   html htm xhtml css scss sass less styl js mjs cjs jsx ts mts cts tsx vue svelte astro
   json json5 jsonc jsonl ndjson geojson yaml yml toml ini cfg conf config properties env
   xml xsd xsl xslt plist rss atom graphql gql proto thrift
   c h cc cpp cxx hh hpp hxx ino m mm cs fs fsx fsi vb java kt kts groovy gradle scala sc clj cljs cljc edn
   go rs zig nim d v odin swift dart lua rb erb rake gemspec py pyi pyx pyw r rmd jl pl pm t raku php phtml
   hs lhs elm purs ml mli ex exs erl hrl lisp cl el scm rkt f f90 f95 for pas pp adb ads cob cbl
   asm s nasm wat cu cuh glsl vert frag comp hlsl wgsl vhd vhdl sv svh tcl
   sh bash zsh fish ksh csh ps1 psm1 psd1 bat cmd awk sed nix tf tfvars hcl cmake mk ninja bzl
   sql prisma sol coffee hbs mustache ejs pug haml liquid twig j2 jinja njk tmpl
   service timer socket desktop lock sum mod csproj fsproj vbproj sln props targets
   srt vtt po pot ipynb http feature puml dot rego ldif`.split(/\s+/),
)

/** Text files by whole name. */
const NAMES = new Set(
  `dockerfile containerfile makefile gnumakefile rakefile gemfile guardfile podfile fastfile brewfile vagrantfile
   procfile jenkinsfile justfile caddyfile tiltfile snakefile pipfile kconfig codeowners
   license licence copying copyright notice authors contributors maintainers readme changelog changes todo
   .env .gitignore .gitattributes .gitmodules .dockerignore .npmignore .npmrc .nvmrc .editorconfig .prettierrc
   .eslintrc .babelrc .bashrc .bash_profile .zshrc .profile .vimrc .inputrc .htaccess`.split(/\s+/),
)

/** Returns the extension of a text file, or its well-known name, in lower case; undefined if it may not be text. */
export function languageOf(filename: string): string | undefined {
  const name = filename.toLowerCase()
  if (NAMES.has(name)) return name.replace('.', '')
  const extension = extensionOf(name)
  if (EXTENSIONS.has(extension)) return extension
  // Dockerfile.dev, Makefile.am
  const [stem = ''] = name.split('.', 1)
  return NAMES.has(stem) ? stem : undefined
}

function extensionOf(name: string) {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}

/**
 * Returns the text of a file; undefined unless it is UTF-8 without NUL. In a file that was cut, drops half a character
 * and half a line at the end.
 */
export function textOf(bytes: Uint8Array, isCut = bytes.length > MOST_BYTES): string | undefined {
  const text = decodedUtf8(bytes.subarray(0, MOST_BYTES), isCut)
  if (text === undefined || text.includes('\0')) return undefined
  return isCut ? text.slice(0, text.lastIndexOf('\n') + 1) || text : text
}

function decodedUtf8(bytes: Uint8Array, isCut: boolean) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch (err) {
    if (err instanceof TypeError) return undefined
    throw err
  }
}

export interface LineRange {
  start: number
  end: number
}

export interface CodeFile {
  text: string
  filename: string
  filepath: string
  url: string
  /** The lines named by the address. */
  lines?: LineRange
  mostLines: number
  /** Lines shown before and after the named ones. */
  context: number
}

/** The `code` card of a text (interface 2.9): the lines around the highlighted ones, else the first. */
export function codePreview(file: CodeFile): CodePreviewPayload {
  const lines = linesOf(file.text)
  const highlight = within(file.lines, lines.length)
  const first = highlight ? Math.max(1, highlight.start - file.context) : 1
  const last = Math.min(first + file.mostLines - 1, highlight ? highlight.end + file.context : lines.length)
  const filename = oneLine(file.filename, LONGEST_NAME)
  return {
    type: 'code',
    filename,
    filepath: oneLine(file.filepath, LONGEST_PATH),
    language: languageOf(filename) ?? plainExtension(filename) ?? 'text',
    first_line_num: first,
    highlight_start: highlight?.start ?? null,
    highlight_end: highlight?.end ?? null,
    code: lines
      .slice(first - 1, last)
      .map(readable)
      .join('\n'),
    total_lines: lines.length,
    url: file.url,
  }
}

/** Splits into lines; a final line end does not start another one. */
function linesOf(text: string) {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Clips the range, given in either order, to the file; undefined when it starts after the end of a changed file. */
function within(named: LineRange | undefined, total: number): LineRange | undefined {
  if (!named) return undefined
  const start = Math.max(1, Math.min(named.start, named.end))
  const end = Math.min(total, Math.max(named.start, named.end))
  return start <= end ? { start, end } : undefined
}

/**
 * Drops control characters but tabs, and replaces bidirectional marks by U+FFFD, since they make code look different
 * from what runs.
 */
function readable(line: string) {
  const seen = line
    .slice(0, LONGEST_LINE)
    .replace(/[^\P{Cc}\t]/gu, '')
    .replace(/[\u{061c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '\ufffd')
    .toWellFormed()
  return line.length > LONGEST_LINE ? `${seen}…` : seen
}

/** Returns the extension of a file that its code host serves as text though the extension is unknown here. */
function plainExtension(filename: string) {
  const extension = extensionOf(filename.toLowerCase())
  return /^[a-z0-9+_-]{1,16}$/.test(extension) ? extension : undefined
}
