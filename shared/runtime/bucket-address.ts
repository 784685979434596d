/** The bucket of an address `s3://bucket/prefix?endpoint=https://host:port&region=…&path_style=0`. */
export interface BucketAddress {
  bucket: string
  /** Ends with a slash, or is empty. */
  prefix: string
  region: string
  /** Address of the bucket; ends with a slash. */
  url: URL
}

const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/

/**
 * Without `endpoint` Amazon's own of the region. The bucket is the first part of the path, unless `path_style=0`, or by
 * default at Amazon, which has it in the name of the host.
 */
export function bucketAddress(text: string): BucketAddress {
  const fault = bucketFault(text)
  if (fault !== undefined) throw new Error(fault)
  const given = new URL(text)
  const bucket = given.hostname
  const prefix = given.pathname.replace(/^\/+|\/+$/g, '')
  const region = given.searchParams.get('region') || 'us-east-1'
  const endpoint = given.searchParams.get('endpoint')
  const isInPath = (given.searchParams.get('path_style') ?? (endpoint ? '1' : '0')) !== '0'
  const url = new URL(endpoint || `https://s3.${region}.amazonaws.com`)
  if (isInPath) url.pathname = `${url.pathname.replace(/\/+$/, '')}/${bucket}/`
  else url.hostname = `${bucket}.${url.hostname}`
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/`, region, url }
}

/** The fault of an address in words; undefined without one. */
export function bucketFault(text: string): string | undefined {
  if (!/^s3:\/\//.test(text) || !URL.canParse(text)) return 's3://bucket/prefix is wanted'
  const { hostname, pathname, searchParams, username, password } = new URL(text)
  if (username || password)
    return 'keys belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not in the address'
  if (!NAME.test(hostname)) return `“${hostname}” cannot be a bucket`
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  if (prefix !== '' && (!PREFIX.test(prefix) || prefix.split('/').some(part => /^\.+$/.test(part))))
    return `“${prefix}” cannot be a prefix`
  const endpoint = searchParams.get('endpoint')
  if (endpoint && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
    return 'endpoint must be an http or https address'
  for (const name of searchParams.keys())
    if (!['endpoint', 'region', 'path_style'].includes(name)) return `“${name}” is not a setting of a bucket`
}
