import { expect } from 'chai'
import { misspelledVariables } from './variable-names.ts'
import { VARIABLES } from './variables.ts'

describe('misspelled variables', () => {
  it('are named with the one that is meant, and never with their values', () => {
    const env = {
      DATBASE_URL: 'postgres://hushhush',
      METRIC_PORT: '9090',
      public_url: 'x',
      TRUST_PROXYS: '1',
    }
    expect(misspelledVariables(env)).to.deep.equal([
      'DATBASE_URL is no variable: is DATABASE_URL meant?',
      'METRIC_PORT is no variable: is METRICS_PORT meant?',
      'public_url is no variable: is PUBLIC_URL meant?',
      'TRUST_PROXYS is no variable: is TRUST_PROXY meant?',
    ])
  })

  it('are none of the known ones, and none of those that an environment has anyway', () => {
    const usual = [
      ...[
        'PATH',
        'HOME',
        'HOST',
        'HOSTNAME',
        'PWD',
        'TERM',
        'LANG',
        'SHELL',
        'USER',
        'TZ',
        'PROMPT',
        'SHLVL',
      ],
      ...['NODE_ENV', 'NODE_OPTIONS', 'UV_THREADPOOL_SIZE', 'MALLOC_MMAP_THRESHOLD_', 'TMPDIR', 'PPORTS'],
      ...['KUBERNETES_PORT', 'KUBERNETES_SERVICE_HOST', 'REDIS_PORT', 'POSTGRES_PORT', 'DATABASE_PASSWORD'],
      ...['AWS_REGION', 'AWS_DEFAULT_REGION', 'PGHOST', 'CI'],
      ...['DATABASE_URL_FILE', 'AWS_SESSION_TOKEN_FILE', 'SESSION_SECRET', 'LISTEN_HOST', 'REDIS_PASSWORD'],
      ...Object.keys(VARIABLES),
    ]
    expect(misspelledVariables(Object.fromEntries(usual.map(name => [name, '1'])))).to.deep.equal([])
  })
})
