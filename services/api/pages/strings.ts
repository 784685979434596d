import type { Request } from 'express'
import { PASSWORD_RULES, type PasswordRule } from '#shared/domain/password.ts'
import { USERNAME_RULES, type UsernameRule } from '#shared/domain/username.ts'

export const BEING_RENAMED = 'This account is being renamed. Try again in a minute.'

export type LogInProblem =
  | { kind: 'invalid' }
  | { kind: 'locked'; minutes: number }
  | { kind: 'pending' }
  | { kind: 'deactivated' }
  | { kind: 'renamed' }

/** Texts of the signed-out pages, which load before the client and its catalogue. */
export type PageStrings = typeof en

/** Text before and after a name in bold. */
type Around = readonly [before: string, after: string]

const en = {
  language: 'en',
  about: {
    link: 'What is bothy?',
    title: 'Team chat on your own server',
    what: 'bothy is team chat that runs on your own machine. Messages, files and calls stay on your network.',
    name: 'A bothy is a small hut in the hills, left unlocked for anyone who needs it.',
    server: (version: string): Around => ['This server is ', `, version ${version}.`],
  },
  back: { toSignIn: 'Sign in', toChat: 'Back to the chat' },
  forgot: {
    title: 'Forgot your password?',
    ask: 'Whoever runs this server can make you a reset link. Ask them in person or on another channel you trust.',
    link: 'The link works once and expires. It lets you choose a new password; your messages stay as they are.',
  },
  errors: {
    id: (id: string) => `If this goes on, tell whoever runs this server the number of the request: ${id}`,
    of: {
      403: { title: 'Not allowed here', more: 'Open this page from bothy and try again.' },
      404: {
        title: 'There is nothing at this address',
        more: 'The link is incomplete, or what it led to has been deleted.',
      },
      413: { title: 'That was too much', more: 'Go back, shorten it, and send it again.' },
      429: { title: 'Too many attempts', more: 'Wait a few minutes, then try again.' },
      503: {
        title: 'Not available at the moment',
        more: 'The server is starting or busy. Try again in a minute.',
      },
    } as Record<number, { title: string; more: string }>,
    request: { title: 'That did not work', more: 'Go back and try again.' },
    server: {
      title: 'Something broke on the server',
      more: 'Try again. If it happens again, tell the person who runs this server.',
    },
  },
  logIn: {
    title: 'Sign in',
    tab: 'Sign in',
    lede: 'Sign in to chat with your team.',
    forgotIt: 'Forgot it?',
    button: 'Sign in',
    busy: 'Signing in…',
    resetInstead: 'Get in with a reset link instead',
    newHere: 'New here?',
    create: 'Create an account',
    problem: (problem: LogInProblem) => {
      switch (problem.kind) {
        case 'invalid':
          return 'Invalid username or password.'
        case 'locked':
          return `Too many failed attempts. Try again in ${problem.minutes} ${problem.minutes === 1 ? 'minute' : 'minutes'}.`
        case 'pending':
          return 'Your account waits for approval.'
        case 'deactivated':
          return 'This account is deactivated. Ask an administrator.'
        case 'renamed':
          return BEING_RENAMED
      }
    },
  },
  signUp: {
    title: 'Create your account',
    lede: 'Your name and a password. No email needed.',
    button: 'Create account',
    busy: 'Creating your account…',
    haveOne: 'Already have an account?',
    repeat: 'Repeat the password',
    name: 'Your name',
    nameHint: 'The name that colleagues see.',
    nameProblem: 'The name has at most 80 characters.',
    usernameHint: 'To sign in. Letters, digits, hyphens and underscores, up to 32.',
    approved: 'An administrator approves each account.',
    byInvitation: 'You need an invitation to join. Ask a colleague for a link.',
    pendingTitle: 'Waiting for approval',
    pending: 'Your account waits for approval.',
    refusedTitle: 'This link has ended',
    askAgain: 'Ask the person who sent it for a new one.',
    free: 'Free:',
    refusals: {
      closed: 'Accounts are made by the administrators here.',
      uninvited: 'You need an invitation to sign up here.',
      'bad invitation': 'This invitation is not valid any more.',
    },
  },
  invitation: {
    title: 'You are invited',
    heading: 'You are invited',
    lede: 'Enter your name and choose a password.',
    by: (inviter: string, workspace: string) => `${inviter} invites you to ${workspace}.`,
    channels: 'You join these channels:',
    guest: 'You join as a guest. You see these channels and the people in them:',
    guestAlone: 'You join as a guest. You see the channels that somebody adds you to.',
    button: 'Join',
    busy: 'Joining…',
  },
  claim: {
    title: 'Become the owner',
    lede: 'A few details to start.',
    role: 'You become its owner: you decide who joins and who helps you to run it.',
    more: 'You become the owner. No email, no account anywhere else, nothing leaves this server.',
    printed: 'By the link this server printed',
    name: 'Workspace name',
    nameHint: 'What people see at the top. You can change it later.',
    username: 'Your username',
    nameProblem: 'The name has one line of at most 80 characters.',
    button: 'Open the workspace',
    busy: 'Opening…',
    become: 'Become the owner',
    becomeBusy: 'One moment…',
    asUser: ['You are signed in as ', '.'] as Around,
    refused: 'This link is not valid any more',
    refusedWhy:
      'This link is not valid any more. The server prints a new one when it starts without an owner.',
  },
  reset: {
    title: 'Choose a new password',
    lede: ['For the account ', '. This link works once.'] as Around,
    password: 'New password',
    repeat: 'Repeat it',
    button: 'Set password',
    busy: 'Setting it…',
    done: 'Password changed',
    doneMore: 'You can sign in now.',
    refused: 'This link does not work',
    refusedWhy:
      'A reset link works once and for 24 hours. This one has been used, has run out, was replaced by a newer one, or is not complete.',
    refusedWhat:
      'Ask whoever runs this server for a new one. If it was you who used it, sign in with your new password.',
  },
  username: 'Username',
  password: 'Password',
  show: 'Show password',
  hide: 'Hide password',
  staleForm: 'This page was open for too long. Try again.',
  rules: {
    label: 'Password rules',
    met: ', met',
    notMet: ', not met yet',
    short: {
      length: '8 characters or more',
      uppercase: 'One capital letter',
      digit: 'One digit',
      special: 'One symbol, like ! or -',
    },
    sentences: { ...USERNAME_RULES, ...PASSWORD_RULES } as Record<UsernameRule | PasswordRule, string>,
  },
}

const de: PageStrings = {
  language: 'de',
  about: {
    link: 'Was ist bothy?',
    title: 'Team-Chat auf dem eigenen Server',
    what: 'bothy ist Team-Chat, der auf der eigenen Maschine läuft. Nachrichten, Dateien und Anrufe bleiben im eigenen Netz.',
    name: 'Eine Bothy ist eine kleine Hütte in den Bergen, unverschlossen für alle, die sie brauchen.',
    server: version => ['Dieser Server ist ', `, Version ${version}.`],
  },
  back: { toSignIn: 'Anmelden', toChat: 'Zurück zum Chat' },
  forgot: {
    title: 'Passwort vergessen?',
    ask: 'Wer diesen Server betreibt, kann einen Link zum Zurücksetzen ausstellen. Am besten persönlich fragen, oder auf einem anderen Weg, dem man traut.',
    link: 'Der Link gilt einmal und läuft ab. Mit ihm wird ein neues Passwort gewählt; die Nachrichten bleiben, wie sie sind.',
  },
  errors: {
    id: (id: string) => `Wenn das so bleibt, hilft dem Betrieb dieses Servers die Nummer der Anfrage: ${id}`,
    of: {
      403: {
        title: 'Hier nicht erlaubt',
        more: 'Diese Seite aus bothy heraus öffnen und noch einmal versuchen.',
      },
      404: {
        title: 'Unter dieser Adresse ist nichts',
        more: 'Der Link ist unvollständig, oder das Ziel wurde gelöscht.',
      },
      413: { title: 'Das war zu viel', more: 'Zurückgehen, kürzen und noch einmal senden.' },
      429: { title: 'Zu viele Versuche', more: 'Ein paar Minuten warten, dann noch einmal versuchen.' },
      503: {
        title: 'Im Moment nicht erreichbar',
        more: 'Der Server startet gerade oder ist ausgelastet. In einer Minute noch einmal versuchen.',
      },
    },
    request: { title: 'Das hat nicht geklappt', more: 'Zurückgehen und noch einmal versuchen.' },
    server: {
      title: 'Auf dem Server ist etwas kaputtgegangen',
      more: 'Noch einmal versuchen. Wenn es wieder geschieht, der Person Bescheid geben, die den Server betreibt.',
    },
  },
  logIn: {
    title: 'Willkommen',
    tab: 'Anmelden',
    lede: 'Anmelden und mit dem Team chatten.',
    forgotIt: 'Vergessen?',
    button: 'Anmelden',
    busy: 'Wird angemeldet …',
    resetInstead: 'Stattdessen mit einem Link zum Zurücksetzen',
    newHere: 'Neu hier?',
    create: 'Konto anlegen',
    problem: problem => {
      switch (problem.kind) {
        case 'invalid':
          return 'Benutzername oder Passwort ist falsch.'
        case 'locked':
          return `Zu viele Fehlversuche. Der nächste geht in ${problem.minutes} ${problem.minutes === 1 ? 'Minute' : 'Minuten'}.`
        case 'pending':
          return 'Dieses Konto wartet noch auf die Zustimmung der Verwaltung.'
        case 'deactivated':
          return 'Dieses Konto ist abgeschaltet. Die Verwaltung weiß mehr.'
        case 'renamed':
          return 'Dieses Konto wird gerade umbenannt. In einer Minute geht es wieder.'
      }
    },
  },
  signUp: {
    title: 'Konto anlegen',
    lede: 'Dein Name und ein Passwort. Keine E-Mail nötig.',
    button: 'Konto anlegen',
    busy: 'Das Konto wird angelegt …',
    haveOne: 'Schon ein Konto?',
    repeat: 'Passwort wiederholen',
    name: 'Dein Name',
    nameHint: 'So sehen dich die anderen.',
    nameProblem: 'Der Name hat höchstens 80 Zeichen.',
    usernameHint: 'Zum Anmelden. Buchstaben ohne Umlaute, Ziffern, Binde- und Unterstriche, bis zu 32.',
    approved: 'Die Verwaltung stimmt jedem Konto zu.',
    byInvitation: 'Zum Beitreten ist eine Einladung nötig. Einen Link geben Kolleginnen und Kollegen.',
    pendingTitle: 'Warten auf Freigabe',
    pending: 'Das Konto ist angelegt und wartet auf die Zustimmung der Verwaltung.',
    refusedTitle: 'Dieser Link ist abgelaufen',
    askAgain: 'Einen neuen gibt es bei der Person, die ihn geschickt hat.',
    free: 'Frei:',
    refusals: {
      closed: 'Konten legt hier die Verwaltung an.',
      uninvited: 'Zum Anlegen eines Kontos ist hier eine Einladung nötig.',
      'bad invitation': 'Diese Einladung gilt nicht mehr.',
    },
  },
  invitation: {
    title: 'Eine Einladung',
    heading: 'Du bist eingeladen',
    lede: 'Gib deinen Namen ein und wähle ein Passwort.',
    by: (inviter, workspace) => `${inviter} lädt ein zu ${workspace}.`,
    channels: 'Dazu gehören diese Kanäle:',
    guest: 'Du kommst als Gast. Du siehst diese Kanäle und die Personen darin:',
    guestAlone: 'Du kommst als Gast. Du siehst die Kanäle, zu denen dich jemand hinzufügt.',
    button: 'Beitreten',
    busy: 'Wird beigetreten …',
  },
  claim: {
    title: 'Inhaber werden',
    lede: 'Ein paar Angaben, dann geht es los.',
    role: 'Damit gehört dir dieser Server: Du entscheidest, wer beitritt und wer bei der Verwaltung hilft.',
    more: 'Du wirst Inhaber. Keine E-Mail, kein Konto anderswo, nichts verlässt diesen Server.',
    printed: 'Über den Link dieses Servers',
    name: 'Name des Arbeitsbereichs',
    nameHint: 'Steht oben, für alle. Du kannst ihn später ändern.',
    username: 'Dein Benutzername',
    nameProblem: 'Der Name hat eine Zeile mit höchstens 80 Zeichen.',
    button: 'Arbeitsbereich öffnen',
    busy: 'Wird geöffnet …',
    become: 'Server übernehmen',
    becomeBusy: 'Einen Moment …',
    asUser: ['Angemeldet als ', '.'],
    refused: 'Dieser Link gilt nicht mehr',
    refusedWhy:
      'Dieser Link gilt nicht mehr. Der Server gibt einen neuen aus, wenn er ohne Eigentümer startet.',
  },
  reset: {
    title: 'Neues Passwort wählen',
    lede: ['Für das Konto ', '. Dieser Link gilt einmal.'],
    password: 'Neues Passwort',
    repeat: 'Noch einmal',
    button: 'Passwort setzen',
    busy: 'Wird gesetzt …',
    done: 'Passwort geändert',
    doneMore: 'Das Anmelden geht jetzt damit.',
    refused: 'Dieser Link gilt nicht',
    refusedWhy:
      'Ein solcher Link gilt einmal und 24 Stunden lang. Dieser wurde benutzt, ist abgelaufen, durch einen neueren ersetzt oder nicht vollständig.',
    refusedWhat:
      'Einen neuen gibt es bei der Person, die diesen Server betreibt. Wer ihn selbst benutzt hat, meldet sich mit dem neuen Passwort an.',
  },
  username: 'Benutzername',
  password: 'Passwort',
  show: 'Passwort zeigen',
  hide: 'Passwort verbergen',
  staleForm: 'Diese Seite war zu lange offen. Noch einmal versuchen.',
  rules: {
    label: 'Regeln für das Passwort',
    met: ', erfüllt',
    notMet: ', noch nicht erfüllt',
    short: {
      length: '8 Zeichen oder mehr',
      uppercase: 'Ein Großbuchstabe',
      digit: 'Eine Ziffer',
      special: 'Ein Sonderzeichen wie ! oder -',
    },
    sentences: {
      pattern: 'Der Benutzername hat 1 bis 32 Buchstaben, Ziffern, Binde- oder Unterstriche.',
      reserved: 'Dieser Name ist vergeben: Er gehört dem Server.',
      taken: 'Dieser Name ist schon vergeben.',
      length: 'Mindestens 8 Zeichen sind nötig.',
      longest: 'Höchstens 1.024 Zeichen sind möglich.',
      digit: 'Mindestens eine Ziffer ist nötig.',
      uppercase: 'Mindestens ein Großbuchstabe ist nötig.',
      special: 'Mindestens ein Sonderzeichen ist nötig, zum Beispiel ! oder #.',
      match: 'Die beiden Passwörter sind nicht gleich.',
    },
  },
}

/** The browser's preferred language, English by default. */
export function stringsFor(req: Request): PageStrings {
  return req.acceptsLanguages('en', 'de') === 'de' ? de : en
}
