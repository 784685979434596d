import type { AccountPayload } from '#shared/domain/payloads/administration.ts'

/** The name that people see, the username grey behind it. */
export function PersonName({ account }: { account: Pick<AccountPayload, 'username' | 'display_name'> }) {
  const { username, display_name } = account
  return (
    <>
      <bdi class="admin-person-name">{display_name ?? username}</bdi>
      {display_name !== null && <bdi class="hint">{username}</bdi>}
    </>
  )
}
