/**
 * Redis' addresses: `redis://user:password@host:port`, or the sentinels that know the primary of a name:
 * `redis+sentinel://user:password@a:26379,b:26379/name?db=0&sentinel_password=…`. User and password are those of the
 * servers. With `rediss` all connections are encrypted.
 */
export interface Sentinels {
  sentinels: { host: string; port: number }[]
  /** Name of the primary in the configuration of the sentinels. */
  name: string
  username?: string
  password?: string
  sentinelUsername?: string
  sentinelPassword?: string
  db: number
  isEncrypted: boolean
}

const SENTINELS = /^redis(s?)\+sentinel:\/\/([^/?#]*@)?([^/?#@]*)(\/[^?#]*)?(\?[^#]*)?$/s
const PORT = 26_379
const PARAMETERS = ['db', 'sentinel_username', 'sentinel_password']

/** undefined for the address of a single server, and for one that cannot be used. */
export function sentinelsOf(url: string): Sentinels | undefined {
  const [whole, encrypted, credentials = '', hosts = '', path = '', query = ''] = SENTINELS.exec(url) ?? []
  if (whole === undefined) return undefined
  const addresses = hosts.split(',').map(host => `redis://${credentials}${host}`)
  if (!addresses.every(address => URL.canParse(address) && new URL(address).hostname !== '')) return undefined
  const sentinels = addresses.map(address => {
    const { hostname, port } = new URL(address)
    return { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port) || PORT }
  })
  const parameters = new URLSearchParams(query)
  const db = Number(parameters.get('db') ?? 0)
  const isKnown = [...parameters.keys()].every(name => PARAMETERS.includes(name))
  const name = decodedOf(path.slice(1))
  if (!name || !isKnown || !Number.isInteger(db) || db < 0) return undefined
  const { username, password } = new URL(addresses[0]!)
  return {
    sentinels,
    name,
    ...named('username', decodedOf(username)),
    ...named('password', decodedOf(password)),
    ...named('sentinelUsername', parameters.get('sentinel_username')),
    ...named('sentinelPassword', parameters.get('sentinel_password')),
    db,
    isEncrypted: encrypted !== '',
  }
}

const named = (name: string, value: string | null) => (value ? { [name]: value } : {})

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

export function isRedisUrl(url: string): boolean {
  if (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)) return true
  return sentinelsOf(url) !== undefined
}

/** Hosts to connect to first: the server, or its sentinels. */
export function redisHostsOf(url: string): { host: string; port: number }[] {
  const sentinels = sentinelsOf(url)?.sentinels
  if (sentinels) return sentinels
  const { hostname, port } = new URL(url)
  return [{ host: hostname, port: Number(port) || 6379 }]
}
