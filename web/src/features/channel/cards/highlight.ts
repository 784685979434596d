/**
 * Code → coloured pieces per line (ui.md 3.1, `code-*`); the text stays the same. A hostile text can keep the
 * third-party grammars busy indefinitely, so only `highlight.worker.ts` calls this.
 */
import type { Element, RootContent } from 'hast'
import clojure from 'highlight.js/lib/languages/clojure'
import cmake from 'highlight.js/lib/languages/cmake'
import dart from 'highlight.js/lib/languages/dart'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import elixir from 'highlight.js/lib/languages/elixir'
import elm from 'highlight.js/lib/languages/elm'
import erlang from 'highlight.js/lib/languages/erlang'
import fsharp from 'highlight.js/lib/languages/fsharp'
import glsl from 'highlight.js/lib/languages/glsl'
import groovy from 'highlight.js/lib/languages/groovy'
import haskell from 'highlight.js/lib/languages/haskell'
import julia from 'highlight.js/lib/languages/julia'
import lisp from 'highlight.js/lib/languages/lisp'
import nix from 'highlight.js/lib/languages/nix'
import ocaml from 'highlight.js/lib/languages/ocaml'
import powershell from 'highlight.js/lib/languages/powershell'
import properties from 'highlight.js/lib/languages/properties'
import protobuf from 'highlight.js/lib/languages/protobuf'
import scala from 'highlight.js/lib/languages/scala'
import tcl from 'highlight.js/lib/languages/tcl'
import { common, createLowlight } from 'lowlight'
import { type Kind, type Piece, plainLines } from './pieces.ts'

const lowlight = createLowlight({
  ...common,
  ...{
    clojure,
    cmake,
    dart,
    dockerfile,
    elixir,
    elm,
    erlang,
    fsharp,
    glsl,
    groovy,
    haskell,
    julia,
    lisp,
    nix,
    ocaml,
  },
  ...{ powershell, properties, protobuf, scala, tcl },
})
/** Extensions and well-known names (shared/domain/code-preview.ts) that are not language names. */
lowlight.registerAlias({
  bash: 'shell fish ksh bashrc bash_profile zshrc profile console'.split(' '),
  c: ['ino'],
  cpp: 'cu cuh comp hlsl'.split(' '),
  dockerfile: ['containerfile'],
  glsl: ['vert', 'frag'],
  groovy: ['jenkinsfile', 'gradle'],
  ini: 'cfg conf config desktop editorconfig env gitconfig npmrc service socket timer'.split(' '),
  json: 'geojson ipynb json5 jsonl ndjson'.split(' '),
  makefile: ['gnumakefile', 'justfile'],
  markdown: 'changelog mdx readme rmd'.split(' '),
  php: ['phtml'],
  protobuf: ['thrift'],
  python: 'bzl pyi pyw pyx starlark'.split(' '),
  ruby: 'erb gemfile podfile rake rakefile vagrantfile'.split(' '),
  sql: 'mysql pgsql prisma psql sqlite'.split(' '),
  xml: 'astro csproj ejs fsproj hbs htm markup props svelte targets vue'.split(' '),
})

/** Colours by highlight.js scope. Unlisted scopes inherit. */
const KINDS = new Map<string, Kind | undefined>(
  (
    [
      ['keyword', 'keyword built_in literal type name tag selector-tag meta section'],
      ['string', 'string regexp addition code'],
      ['number', 'number symbol bullet deletion'],
      ['function', 'title attr attribute property selector-class selector-id link'],
      ['comment', 'comment quote'],
      [undefined, 'subst'],
    ] as const
  ).flatMap(([kind, scopes]) => scopes.split(' ').map(scope => [`hljs-${scope}`, kind])),
)

export function highlight(code: string, language: string): Piece[][] {
  const name = language.toLowerCase()
  if (!lowlight.registered(name)) return plainLines(code)
  const lines: Piece[][] = [[]]
  add(lines, lowlight.highlight(name, code).children, undefined)
  // A grammar that fails may have changed a line end.
  return textOf(lines) === code ? lines : plainLines(code)
}

const textOf = (lines: Piece[][]) => lines.map(pieces => pieces.map(piece => piece.text).join('')).join('\n')

function add(lines: Piece[][], nodes: RootContent[], around: Kind | undefined) {
  for (const node of nodes) {
    if (node.type === 'element') add(lines, node.children, kindOf(node, around))
    if (node.type !== 'text') continue
    for (const [at, text] of node.value.split('\n').entries()) {
      if (at > 0) lines.push([])
      addPiece(lines.at(-1)!, text, around)
    }
  }
}

function addPiece(line: Piece[], text: string, kind: Kind | undefined) {
  const last = line.at(-1)
  if (last && last.kind === kind) last.text += text
  else if (text !== '') line.push(kind ? { text, kind } : { text })
}

function kindOf({ properties }: Element, around: Kind | undefined) {
  const [scope = ''] = properties['className'] as string[]
  return KINDS.has(scope) ? KINDS.get(scope) : around
}
