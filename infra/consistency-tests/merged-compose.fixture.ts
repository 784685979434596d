import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, type Node, parseDocument, YAMLMap, YAMLSeq } from 'yaml'
import { ROOT } from '#shared/runtime/config.ts'

export interface Container {
  image: string
  init?: boolean
  build?: unknown
  pull_policy?: string
  command?: string[]
  environment?: Record<string, string | number>
  networks?: string[]
  network_mode?: string
  volumes?: string[]
  ports?: string[]
  depends_on?: Record<string, unknown>
  profiles?: string[]
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  mem_limit?: string
  cpus?: number
  pids_limit?: number
  logging?: { driver: string; options: Record<string, string> }
}

export interface ComposeProject {
  services: Record<string, Container>
  networks: Record<string, { internal?: boolean } | null>
}

/** Replaced by a later file; all other lists are appended to. */
const REPLACED = ['command', 'entrypoint']

/** Compose files, merged as Compose does (infra/system-tests/compose.test.ts compares them); variables stay as written. */
export function mergedCompose(...paths: string[]): ComposeProject {
  const merged: ComposeProject = { services: {}, networks: {} }
  for (const path of paths) {
    const document = parseDocument(readFileSync(join(ROOT, path), 'utf8'), { merge: true, customTags: TAGS })
    if (document.errors.length > 0) throw document.errors[0]
    const { services, networks } = document.toJS() as ComposeProject
    Object.assign(merged.networks, networks)
    for (const [name, part] of Object.entries(services)) {
      const node = document.getIn(['services', name], true) as Node
      merged.services[name] = mergedContainer(merged.services[name], part, key =>
        isMap(node) ? (node.get(key, true) as Node | undefined)?.tag : undefined,
      )
    }
  }
  return merged
}

function mergedContainer(
  base: Container | undefined,
  part: Container,
  tagOf: (key: string) => string | undefined,
): Container {
  const merged = { ...base } as Record<string, unknown>
  for (const [key, value] of Object.entries(part ?? {})) {
    const former = merged[key]
    if (tagOf(key) === '!reset') delete merged[key]
    else if (tagOf(key) === '!override' || former === undefined || REPLACED.includes(key)) merged[key] = value
    else if (Array.isArray(former)) merged[key] = [...new Set([...former, ...(value as unknown[])])]
    else if (typeof former === 'object') merged[key] = { ...former, ...(value as object) }
    else merged[key] = value
  }
  return merged as unknown as Container
}

const TAGS = ['!override', '!reset'].flatMap(tag => [
  { tag, collection: 'seq' as const, nodeClass: YAMLSeq },
  { tag, collection: 'map' as const, nodeClass: YAMLMap },
])
