import { expect } from 'chai'
import { commandsFor } from './backup-state.ts'

describe('the commands for a backup', () => {
  it('name its folder as a shell reads it', () => {
    expect(commandsFor('restore <backup> --replace', '/backups', '2026-11-23T02-00-04Z')).to.deep.equal([
      'npm run admin -- restore /backups/2026-11-23T02-00-04Z --replace',
      'docker compose run --rm admin restore /backups/2026-11-23T02-00-04Z --replace',
    ])
    expect(commandsFor('verify <backup>', "/mnt/Ada's disk", 'a')[0]).to.equal(
      `npm run admin -- verify '/mnt/Ada'\\''s disk/a'`,
    )
    expect(
      commandsFor('verify <backup>', 's3://bothy/nightly/?endpoint=https://s3.example:9000', 'a')[0],
    ).to.equal(`npm run admin -- verify 's3://bothy/nightly/a?endpoint=https://s3.example:9000'`)
  })
})
