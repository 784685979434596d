import { globSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the programs of Debian's newest server; undefined without any. */
export function findPostgres(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin/initdb')
    .map(path => join(path, '..'))
    .filter(bin => majorIn(bin) >= 15)
    .at(-1)
}

/** The version of the server in this folder. */
export const majorIn = (bin: string): number => Number(/\d+/.exec(bin)![0])
