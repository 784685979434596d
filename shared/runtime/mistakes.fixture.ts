import type { VariableName } from './variables.ts'

type Service = 'api' | 'events' | 'janitor' | 'previews' | 'previews-pictures' | 'stun'

/** Any text is right. */
export const FREE: readonly VariableName[] = [
  'STACK_ID',
  'BACKUP_PASSPHRASE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]

const PORTS = ['x', '3.5', '-1', '65536', '0x50', '1e3']
const DATABASES = [
  'mysql://bothy:heather@db/bothy',
  'postgres:heather',
  'postgres://bothy:heather@a:x/bothy',
  'postgres://bothy:heather@a,b/bothy?target_session_attrs=standby',
]
const REDISES = [
  'http://:heather@cache',
  'redis',
  'redis+sentinel://:heather@a,b',
  'redis://:heather@cache:x',
]
const FOLDERS = ['https://files.example.org', 'ftp://heather@files', 'file:///srv/files']

/** For each variable three ways or more: another form, out of range, an address that leads nowhere. */
export const WRONG: Partial<Record<VariableName, readonly string[]>> = {
  DATABASE_URL: DATABASES,
  DATABASE_DIRECT_URL: DATABASES,
  DATABASE_ADMIN_URL: DATABASES,
  DATABASE_POOL_SIZE: ['many', '1', '501', '2.5'],
  REDIS_URL: REDISES,
  PREVIEWS_REDIS_URL: REDISES,
  THUMBNAILS_REDIS_URL: REDISES,
  LOG_LEVEL: ['verbose', '3', 'INFO '],
  REDIS_PREFIX: ['a b', '*', `${'x'.repeat(101)}`],
  PORT: PORTS,
  LISTEN_HOST: ['300.1.1.1', '10.0.0', 'http://127.0.0.1', '[::1]', 'a b'],
  FRONT_DOOR_HOST: ['300.1.1.1', '10.0.0', 'http://127.0.0.1'],
  METRICS_PORT: [...PORTS, '0'],
  FILES_URL: ['ftp://x', '/srv/files', 'file://elsewhere/files', 's3://X', 's3://office?color=red'],
  SETTINGS_FILE: ['https://example.org/settings.json', 'file:///settings.json', 's3://a/b'],
  STUN_PORT: [...PORTS, '0'],
  STUN_BIND: ['office', '10.0.0.1,300.1.1.1', '0.0.0.0:3478'],
  STUN_WORKERS: ['all', '0', '65'],
  PUBLIC_URL: ['chat.example.org', 'ftp://chat.example.org', 'http://', 'chat.example.org:3000'],
  PUBLISHED_PORT: [...PORTS, '0'],
  ALLOWED_HOSTS: ['https://chat.example.org', 'chat.example.org:80', '*.example.org'],
  AUTHORITY_CERTIFICATE: ['ftp://caddy/root.crt', 'file:///root.crt', 'http://'],
  TRUST_PROXY: ['yes', '-1', '11'],
  SESSION_SECRET: ['heather', 'x', 'heather'.repeat(4)],
  SESSION_SECRET_PREVIOUS: ['heather', 'x', 'heather'.repeat(4)],
  SECRETS_KEY: ['heather', 'x', 'heather'.repeat(4)],
  BACKUP_DIR: [...FOLDERS, 's3://X', 's3://office?color=red'],
  INCOMING_DIR: FOLDERS,
  UV_THREADPOOL_SIZE: ['many', '0', '1025'],
  PASSWORD_ITERATIONS: ['many', '0', '5000001'],
  BOTHY_DATA: FOLDERS,
}

const STORED: readonly Service[] = ['api', 'events', 'janitor']
const WITH_REDIS: readonly Service[] = [...STORED, 'previews', 'previews-pictures']
const WITH_FILES: readonly Service[] = ['api', 'janitor', 'previews-pictures']
const ALL: readonly Service[] = [...WITH_REDIS, 'stun']

/** The processes that read a variable; those of others are read by `npm start` or the commands. */
export const READ_BY: Partial<Record<VariableName, readonly Service[]>> = {
  DATABASE_URL: STORED,
  DATABASE_DIRECT_URL: STORED,
  DATABASE_POOL_SIZE: STORED,
  REDIS_URL: WITH_REDIS,
  REDIS_PREFIX: WITH_REDIS,
  LOG_LEVEL: ALL,
  PORT: ALL,
  LISTEN_HOST: ALL,
  FRONT_DOOR_HOST: STORED,
  METRICS_PORT: ALL,
  UV_THREADPOOL_SIZE: ALL,
  FILES_URL: WITH_FILES,
  SETTINGS_FILE: [...STORED, 'previews', 'stun'],
  STUN_PORT: ALL.filter(name => !['previews', 'previews-pictures'].includes(name)),
  STUN_BIND: ['stun'],
  STUN_WORKERS: ['stun'],
  PUBLIC_URL: STORED,
  PUBLISHED_PORT: STORED,
  ALLOWED_HOSTS: STORED,
  AUTHORITY_CERTIFICATE: STORED,
  TRUST_PROXY: STORED,
  SESSION_SECRET: STORED,
  SESSION_SECRET_PREVIOUS: STORED,
  SECRETS_KEY: ['api', 'janitor'],
  BACKUP_DIR: ['janitor'],
  BACKUP_PASSPHRASE: ['janitor'],
  AWS_ACCESS_KEY_ID: WITH_FILES,
  AWS_SECRET_ACCESS_KEY: WITH_FILES,
  AWS_SESSION_TOKEN: WITH_FILES,
  PASSWORD_ITERATIONS: STORED,
}
