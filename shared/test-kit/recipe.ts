import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'

const DOCUMENT = readFileSync(join(ROOT, 'docs/integrations.md'), 'utf8')
const BLOCK = /^( *)```\w+\n\1(?:#|\/\/) recipe: (\S+)\n(.*?)^\1```$/gms

const BLOCKS = new Map(
  [...DOCUMENT.matchAll(BLOCK)].map(([, indent, name, lines]) => [
    name!,
    lines!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  ]),
)

/** A block of docs/integrations.md as it stands there, by the name in its first line. */
export function recipe(name: string): string {
  const lines = BLOCKS.get(name)
  if (lines === undefined) throw new Error(`docs/integrations.md has no recipe ${name}.`)
  return lines
}
