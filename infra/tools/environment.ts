import { readFileSync } from 'node:fs'

/** A variable, or the content of the file that `<name>_FILE` names. */
export function secretFrom(name: string): string | undefined {
  const file = process.env[`${name}_FILE`]
  return process.env[name] || (file && readFileSync(file, 'utf8').trim()) || undefined
}
