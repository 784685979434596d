/**
 * Code → coloured pieces, line by line (ui.md 3.1, `code-*`). A small reader of our own: what is known to be good enough
 * emits HTML, weighs more than all cards together, or takes its time over hostile texts. It reads once from front to end:
 * every pattern either fails within a bounded look or takes what it has looked at. Text in is text out.
 */

export type Kind = 'kw' | 'str' | 'num' | 'fn' | 'com'
export interface Piece {
  text: string
  kind?: Kind
}

/** Beyond this everything is plain. */
const MOST = 200_000

export function highlight(code: string, language: string): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const { text, kind } of pieces(code, GRAMMARS.get(language.toLowerCase()))) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) lines.push([])
      if (part !== '') lines.at(-1)!.push(kind ? { text: part, kind } : { text: part })
    }
  }
  return lines
}

/** Tried in this order at each place; a `word` is looked up. All are sticky. */
type Rule = [pattern: RegExp, kind: Kind | 'word' | 'plain']
interface Grammar {
  rules: Rule[]
  words: ReadonlySet<string>
  /** Words are the same in any case. */
  anyCase?: boolean
}

function pieces(code: string, grammar: Grammar | undefined): Piece[] {
  if (!grammar) return [{ text: code }]
  const found: Piece[] = []
  const end = Math.min(code.length, MOST)
  let plain = 0
  let at = 0
  const add = (to: number, kind: Kind) => {
    if (plain < at) found.push({ text: code.slice(plain, at) })
    found.push({ text: code.slice(at, to), kind })
    plain = to
  }
  while (at < end) {
    const [text, rule] = match(grammar.rules, code, at)
    const kind = rule === 'word' ? kindOf(text, code, at + text.length, grammar) : rule
    if (kind !== 'plain') add(at + text.length, kind)
    at += text.length
  }
  if (plain < code.length) found.push({ text: code.slice(plain) })
  return found
}

function match(rules: Rule[], code: string, at: number): [string, Rule[1]] {
  for (const [pattern, kind] of rules) {
    pattern.lastIndex = at
    const text = pattern.exec(code)?.[0]
    if (text) return [text, kind]
  }
  return [String.fromCodePoint(code.codePointAt(at)!), 'plain']
}

/** A word before a bracket is called; `warn!(` too. */
function kindOf(word: string, code: string, after: number, { words, anyCase }: Grammar): Kind | 'plain' {
  if (words.has(anyCase ? word.toLowerCase() : word)) return 'kw'
  return code[after] === '(' ? 'fn' : 'plain'
}

const SPACE: Rule = [/\s+/y, 'plain']
const WORD: Rule = [/[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy, 'word']
const NUMBER: Rule = [
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)[\w%]*/y,
  'num',
]
const DOUBLE: Rule = [/"(?:[^"\\\n]|\\[^\n])*["\\]?/y, 'str']
const SINGLE: Rule = [/'(?:[^'\\\n]|\\[^\n])*['\\]?/y, 'str']
const ACROSS: Rule = [/`(?:[^`\\]|\\[\s\S])*[`\\]?/y, 'str']
const CHARACTER: Rule = [/'(?:[^'\\\n]|\\[^\n][\w{}]{0,9})'/uy, 'str']
const TRIPLE: Rule = [/("""|''')[\s\S]*?(?:\1|$)/y, 'str']
const SLASHES: Rule = [/\/\/.*/y, 'com']
const BLOCK: Rule = [/\/\*[\s\S]*?(?:\*\/|$)/y, 'com']
const HASH: Rule = [/(?<![^\s;&|()[\]{}])#.*/y, 'com']
const DASHES: Rule = [/--.*/y, 'com']
const TAGS: Rule = [/<!--[\s\S]*?(?:-->|$)/y, 'com']
const VARIABLE: Rule = [/\$(?:\w+|\{[^}\n]{0,200}\}?|[@*#?!$-])/y, 'num']

const words = (text: string) => new Set(text.split(' '))

const OF_C =
  'break case continue default do else for goto if return switch while const enum extern static struct typedef union void int char long short float double bool unsigned signed sizeof true false'
const OF_OBJECTS =
  'abstract as async await catch class extends final finally implements import in instanceof interface is new null override package private protected public super this throw throws try var'

const c = (more: string, ...rules: Rule[]): Grammar => ({
  rules: [SPACE, SLASHES, BLOCK, ...rules, DOUBLE, NUMBER, WORD],
  words: words(`${OF_C} ${more}`),
})
const hashed = (text: string, ...rules: Rule[]): Grammar => ({
  rules: [SPACE, HASH, ...rules, DOUBLE, SINGLE, NUMBER, WORD],
  words: words(text),
})

/** Where a value may stand, a slash begins an expression. */
const REGEX: Rule = [
  /(?<=(?:^|[=(,:;!&|?{}[+*%~^<>\n-]|return|case|typeof)[ \t]{0,9})\/(?![/*])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,99}\]){1,300}\/[a-z]*/y,
  'str',
]
const JS: Grammar = {
  rules: [SPACE, SLASHES, BLOCK, ACROSS, DOUBLE, SINGLE, REGEX, NUMBER, WORD],
  words: words(
    `${OF_OBJECTS} any boolean break case const continue debugger declare default delete do else enum export false for from function get if keyof let namespace never number object of readonly return satisfies set static string switch symbol true type typeof undefined unknown void while with yield`,
  ),
}
const RUST = c(
  'as async await crate dyn else fn impl in let loop match mod move mut pub ref self Self super trait type unsafe use where u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 str String Vec Option Result',
  [/r(#{0,9})"[\s\S]*?(?:"\1|$)/y, 'str'],
  CHARACTER,
  [/[\p{L}_][\p{L}\p{N}_]*!(?=[([{])/uy, 'fn'],
)
const GO = c(
  'any chan defer error fallthrough func import interface map nil package range rune select string type var byte iota uint int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64',
  ACROSS,
  CHARACTER,
)
const CPP = c(
  'auto catch class consteval constexpr decltype delete explicit final friend inline mutable namespace new noexcept nullptr operator override private protected public register restrict template this throw try typename using virtual volatile wchar_t NULL size_t',
  [/(?<=(?:^|\n)[ \t]{0,20})#[ \t]*\w+/y, 'kw'],
  CHARACTER,
)
const JAVA = c(
  `${OF_OBJECTS} boolean byte record sealed permits yield synchronized transient volatile native strictfp assert fun val when object companion data lateinit internal open out string decimal namespace using get set foreach where partial readonly ref event delegate lock base nameof func let guard protocol extension self nil defer def trait match with given lazy implicit extern mixin required late`,
  TRIPLE,
  CHARACTER,
)
const PHP: Grammar = {
  ...c(
    `${OF_OBJECTS} array echo elseif endforeach endif endwhile fn foreach function include include_once isset list match namespace print readonly require require_once static trait unset use yield string self parent`,
    [/#(?!\[).*/y, 'com'],
    VARIABLE,
    SINGLE,
  ),
  anyCase: true,
}
const PYTHON = hashed(
  'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield',
  [/[rRbBfFuU]{0,2}("""|''')[\s\S]*?(?:\1|$)/y, 'str'],
  [/[rRbBfFuU]{1,2}(?:"(?:[^"\\\n]|\\[^\n])*["\\]?|'(?:[^'\\\n]|\\[^\n])*['\\]?)/y, 'str'],
  [/@[\w.]+/y, 'fn'],
)
const RUBY = hashed(
  'alias and begin break case class def defined? do else elsif end ensure extend false for if in include module new next nil not or private protected public raise redo require rescue retry return self super then true undef unless until when while yield attr_reader attr_accessor function repeat library my our sub use local foreach qw print my let defmodule defp fn receive after',
  [/:[A-Za-z_]\w*/y, 'num'],
  VARIABLE,
  [/@@?\w+/y, 'num'],
)
const SHELL = hashed(
  'alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local printf read readonly return set shift source test then trap true false unset until while sudo FROM RUN CMD COPY ADD ENV ARG WORKDIR ENTRYPOINT EXPOSE USER VOLUME LABEL AS ifeq ifneq endif include define endef',
  VARIABLE,
  // Strings of a shell go over lines.
  [/"(?:[^"\\]|\\[\s\S])*["\\]?/y, 'str'],
  [/'[^']*'?/y, 'str'],
  [/[\w.-]+/y, 'word'],
)
const SQL: Grammar = {
  rules: [SPACE, DASHES, BLOCK, [/'(?:[^']|'')*'?/y, 'str'], [/"[^"\n]*"?/y, 'plain'], NUMBER, WORD],
  words: words(
    'add all alter analyze and any as asc begin between by cascade case cast check column commit constraint create cross current_timestamp database default delete desc distinct do drop else end except exists explain false foreign from full function generated grant group having if ilike in index inner insert intersect into is join key language lateral left like limit materialized natural not nothing null nulls offset on only or order outer over partition primary procedure references returning revoke right rollback row rows select sequence set table temporary then to trigger true truncate union unique update using values view when where window with without bigint boolean bytea char date decimal double float int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar',
  ),
  anyCase: true,
}
const LUA: Grammar = {
  rules: [
    SPACE,
    [/--\[\[[\s\S]*?(?:\]\]|$)/y, 'com'],
    DASHES,
    [/\[\[[\s\S]*?(?:\]\]|$)/y, 'str'],
    DOUBLE,
    SINGLE,
    NUMBER,
    WORD,
  ],
  words: words(
    'and break do else elseif end false for function goto if in local nil not or repeat return then true until while case class data deriving foreign import infix instance let module newtype of type where forall',
  ),
}
const JSON_LIKE: Grammar = {
  rules: [
    SPACE,
    SLASHES,
    BLOCK,
    [/"(?:[^"\\\n]|\\[^\n])*"(?=[ \t]{0,9}:)/y, 'fn'],
    DOUBLE,
    SINGLE,
    NUMBER,
    WORD,
  ],
  words: words('true false null'),
}
const KEY: Rule = [
  /(?<=(?:^|[\n{,-])[ \t]{0,99})[\w.$"'/@-]{1,99}(?=[ \t]{0,9}[:=](?:[ \t\n]|$|(?<==)))/y,
  'fn',
]
const YAML = hashed(
  'true false null yes no on off True False',
  [/(?<=(?:^|\n)[ \t]{0,20})(?:;.*|---)/y, 'com'],
  [/(?<=(?:^|\n)[ \t]{0,20})\[{1,2}[^\]\n"]{0,200}\]{1,2}/y, 'kw'],
  TRIPLE,
  KEY,
  [/[&*!][\w!/-]+/y, 'num'],
  VARIABLE,
  // A word with dashes, an address or a sentence is one thing, with what looks like a number or a string in it.
  [/[\p{L}_][\p{L}\p{M}\p{N}_./:'-]*(?<!:)/uy, 'word'],
)
const CSS: Grammar = {
  rules: [
    SPACE,
    BLOCK,
    [/(?<![:\w])\/\/.*/y, 'com'],
    [/@[\w-]+|!\w+/y, 'kw'],
    [/#[\da-fA-F]{3,8}(?![\w-])/y, 'num'],
    [/(?:--|\$)?[a-zA-Z][\w-]{0,99}(?=[ \t]{0,9}:[ \t])/y, 'fn'],
    [/[.#&]?-?-?[a-zA-Z_][\w-]*/y, 'word'],
    DOUBLE,
    SINGLE,
    NUMBER,
  ],
  words: words('from to and not only'),
}
const HTML: Grammar = {
  rules: [
    SPACE,
    TAGS,
    [/<[!?/]?[A-Za-z][\w:.-]*/y, 'kw'],
    [/[\w:@.#*-]+(?==["'{])/y, 'fn'],
    [/(?<==)(?:"[^"]*"?|'[^']*'?)/y, 'str'],
    [/&#?\w{1,30};/y, 'num'],
    [/[\w:@.#*-]+/y, 'plain'],
  ],
  words: new Set(),
}
const MARKDOWN: Grammar = {
  rules: [
    TAGS,
    [/(?<=^|\n)#{1,6} .*/y, 'kw'],
    [/(?<=^|\n)(```+|~~~+)[\s\S]*?(?:\n\1|$)/y, 'str'],
    [/(?<=^|\n)[ \t]{0,20}(?:[-*+]|\d{1,9}\.)(?= )/y, 'num'],
    [/(?<=^|\n)>.*/y, 'com'],
    [/`[^`\n]*`?/y, 'str'],
    [/https?:\/\/[^\s<>)]+/y, 'fn'],
    [/[\p{L}\p{N}]+/uy, 'plain'],
  ],
  words: new Set(),
}
const DIFF: Grammar = {
  rules: [
    [/(?:diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename ).*/y, 'com'],
    [/@@.*/y, 'fn'],
    [/[+>].*/y, 'str'],
    [/[-<].*/y, 'num'],
    [/.+/y, 'plain'],
    [/\n+/y, 'plain'],
  ],
  words: new Set(),
}

/** By extension, by well-known name (shared/rules/code-preview.ts), and by what people write behind a fence. */
const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  (
    [
      ['js jsx mjs cjs ts tsx mts cts javascript typescript', JS],
      ['rs rust', RUST],
      ['go golang mod', GO],
      ['c h cc cpp cxx hh hpp hxx ino m mm cu glsl vert frag comp hlsl c++ objc proto thrift', CPP],
      ['java kt kts cs scala sc groovy gradle swift dart d zig v jenkinsfile kotlin csharp c#', JAVA],
      ['php phtml', PHP],
      ['py pyi pyw pyx python python3 starlark bzl', PYTHON],
      ['rb erb rake gemspec ruby gemfile rakefile podfile vagrantfile pl pm perl r ex exs elixir', RUBY],
      [
        'sh bash zsh fish ksh shell console dockerfile containerfile docker makefile gnumakefile mk make justfile bashrc zshrc profile cmake tcl ps1 nix',
        SHELL,
      ],
      ['sql psql prisma pgsql mysql sqlite', SQL],
      ['lua hs elm haskell', LUA],
      ['json json5 jsonc jsonl ndjson geojson ipynb', JSON_LIKE],
      [
        'yaml yml toml ini cfg conf config properties env tf tfvars hcl editorconfig npmrc lock service timer socket desktop po',
        YAML,
      ],
      ['css scss sass less', CSS],
      [
        'html htm xhtml xml svg xsd xsl xslt plist rss atom vue svelte astro csproj fsproj props targets hbs ejs markup',
        HTML,
      ],
      ['md markdown mdx rmd readme changelog', MARKDOWN],
      ['diff patch', DIFF],
    ] as const
  ).flatMap(([names, grammar]) => names.split(' ').map(name => [name, grammar])),
)
