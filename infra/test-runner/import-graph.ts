import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'

/** An import or re-export. A type-only one runs nothing. */
interface Import {
  target: string
  isType: boolean
}

const IMPORT =
  /\b(?:import|export)\s+(type\s)?[\w$\s{},*]*?\bfrom\s*(['"])([^'"\n]+)\2|\bimport\s*\(?\s*(['"])([^'"\n]+)\4/g
const QUOTED = /(['"`])([\w./-]{3,150})\1/g

/** The files of this repository that a file imports or re-exports, by path from the root. */
export function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].flatMap(([, type, , from, , bare]) => {
    const path = from ?? bare ?? ''
    const isType = type !== undefined
    if (path.startsWith('#')) return [{ target: path.slice(1), isType }]
    if (path.startsWith('.')) return [{ target: posix.join(dirname(file), path), isType }]
    return []
  })
}

/** The files that a file imports when it runs, without types, and those whose paths it quotes. */
interface Needs {
  imports: readonly string[]
  quotes: readonly string[]
}

export type Graph = (file: string) => Needs

/** Reads each file once, when it is first asked for. `files`: all paths of the repository. */
export function graphOf(files: ReadonlySet<string>, read = readSource): Graph {
  const known = new Map<string, Needs>()
  return file => {
    const needs = known.get(file) ?? needsOf(file, files, read)
    known.set(file, needs)
    return needs
  }
}

function needsOf(file: string, files: ReadonlySet<string>, read: (file: string) => string): Needs {
  if (!/\.[cm]?[jt]sx?$/.test(file) || !files.has(file)) return { imports: [], quotes: [] }
  const source = read(file)
  const isOther = (path: string) => files.has(path) && path !== file
  return {
    imports: importsOf(file, source).flatMap(({ target, isType }) =>
      !isType && isOther(target) ? [target] : [],
    ),
    quotes: [...source.matchAll(QUOTED)]
      .flatMap(([, , path = '']) => [path, posix.join(dirname(file), path)])
      .filter(isOther),
  }
}

/** All files that a file imports, directly or not, itself included, each with the number of steps to it. */
export function reachOf(file: string, graph: Graph): Map<string, number> {
  const steps = new Map([[file, 0]])
  // The map grows while it is read.
  for (const [at, distance] of steps)
    for (const next of graph(at).imports) if (!steps.has(next)) steps.set(next, distance + 1)
  return steps
}

/** The same with the files whose paths one of these quotes; not with those that the quoted ones import. */
export function reachWithQuotes(file: string, graph: Graph): Map<string, number> {
  const imported = reachOf(file, graph)
  const steps = new Map(imported)
  for (const [at, distance] of imported)
    for (const next of graph(at).quotes)
      steps.set(next, Math.min(steps.get(next) ?? Number.POSITIVE_INFINITY, distance + 1))
  return steps
}

/** All files that git tracks or would track. Empty without git. */
export function repositoryFiles(): ReadonlySet<string> {
  return new Set(gitLines('ls-files', '-co', '--exclude-standard'))
}

/** The lines that a git command prints in the repository; empty if it fails. */
export function gitLines(...args: string[]): string[] {
  const { status, stdout } = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return status === 0 ? stdout.split('\n').filter(line => line !== '') : []
}

const readSource = (file: string) => readFileSync(join(ROOT, file), 'utf8')
