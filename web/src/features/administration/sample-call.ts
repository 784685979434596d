/** A request that tries the address of a hook (interface 19.4). Pure. */
import { placesIn } from '#shared/domain/hook-template.ts'

export type SampleForm = 'slack' | 'plain' | 'template'

export interface SampleCall {
  url: string
  /** Undefined: that of curl. */
  type: string | undefined
  body: string
}

const JSON_TYPE = 'application/json'

/** `text`: the message of the forms that have one. */
export function sampleCall(form: SampleForm, url: string, text: string, template: string | null): SampleCall {
  // By its name, as the body may look like that of a known program.
  if (form === 'template')
    return {
      url: `${url}/template`,
      type: JSON_TYPE,
      body: JSON.stringify(sampleFor(template ?? '')),
    }
  return { url, type: form === 'slack' ? JSON_TYPE : undefined, body: JSON.stringify({ text }) }
}

/** A command for a shell, one part a line. */
export function curlFor({ url, type, body }: SampleCall): string {
  const data = `-d ${quoted(body)}`
  const parts = type === undefined ? [data] : [`-H ${quoted(`Content-Type: ${type}`)}`, data]
  return [`curl ${parts[0]}`, ...parts.slice(1), quoted(url)].join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

type Tree = { [key: string]: Tree | string }

/** An object that fills each place of a template with the last word of its path. */
function sampleFor(template: string): unknown {
  const body = emptyTree()
  for (const path of placesIn(template)) put(body, path.split('.'))
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, listed(value)]))
}

/** Paths come from people: `__proto__` is a key like others. */
const emptyTree = (): Tree => Object.create(null) as Tree

/** A path that goes on past another makes an object of it. */
function put(into: Tree, path: readonly string[]): void {
  const [key = '', ...rest] = path
  const present = into[key]
  if (rest.length === 0) into[key] = present ?? key
  else {
    const inner = typeof present === 'object' ? present : emptyTree()
    into[key] = inner
    put(inner, rest)
  }
}

/** Keys 0, 1, 2 are a list. */
function listed(value: Tree | string): unknown {
  if (typeof value === 'string') return value
  const inner = Object.entries(value).map(([key, one]) => [key, listed(one)] as const)
  return inner.every(([key], at) => key === String(at))
    ? inner.map(([, one]) => one)
    : Object.fromEntries(inner)
}
