import type { Request, Response } from 'express'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { enterNewAccount } from '../sign-in/enter.ts'
import { candidatesFor } from './free-names.ts'
import { type NewPerson, type SignUpOutcome, signUp } from './sign-up.ts'

/** Creates the account and begins its session; a repeated request begins one in the account that exists. */
export async function enterSignedUp(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  person: NewPerson,
): Promise<SignUpOutcome> {
  const outcome = await signUpAndEnter(stores, config, req, person)
  const isRepeated = outcome === 'taken' || outcome === 'bad invitation'
  return (isRepeated && (await enterNewAccount(stores, config, req, res, person))) || outcome
}

/** As `enterSignedUp`; the username was made from the name and gets a number if it is taken (interface 16.4). */
export async function enterByName(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  person: NewPerson,
): Promise<SignUpOutcome> {
  for (const { username, isMade } of await candidatesFor(stores.db, person.username, person.clientId)) {
    const one = { ...person, username }
    const outcome = isMade
      ? await enterNewAccount(stores, config, req, res, one)
      : await signUpAndEnter(stores, config, req, one)
    if (outcome !== undefined && (isMade || outcome !== 'taken')) return outcome
  }
  return 'taken'
}

async function signUpAndEnter(
  stores: Stores,
  config: Config,
  req: Request,
  person: NewPerson,
): Promise<SignUpOutcome> {
  const outcome = await signUp(stores, config, person)
  if (outcome === 'active') await beginSession(stores, req, person.username)
  return outcome
}
