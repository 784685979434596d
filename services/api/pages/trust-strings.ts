import type { Request } from 'express'
import { stringsFor } from './strings.ts'

/** A step; text between backticks is a command or a name to type. */
type Steps = readonly string[]

export const SYSTEMS = ['windows', 'mac', 'ios', 'android', 'linux', 'firefox'] as const
export type System = (typeof SYSTEMS)[number]

export type TrustStrings = typeof en

const en = {
  title: 'Trust this server',
  tab: 'Trust',
  why: 'The certificate of this server comes from an authority of your own network. Your device does not know it yet, so browsers warn, and calls and notifications may not work. Install the certificate of the authority once on each device.',
  compare: 'Compare first',
  careful:
    'Whoever has the key of an authority can pose as any website to devices that trust it. Ask the person who runs this server for the fingerprint, on the phone or in person. Install nothing if it differs from this one:',
  fingerprint: 'Fingerprint (SHA-256)',
  expires: (day: string) => `Valid until ${day}`,
  download: 'Download the certificate',
  install: 'Install it',
  names: {
    windows: 'Windows',
    mac: 'macOS',
    ios: 'iPhone and iPad',
    android: 'Android',
    linux: 'Linux',
    firefox: 'Firefox',
  } satisfies Record<System, string>,
  steps: {
    windows: [
      'Open the downloaded file and choose Install Certificate.',
      'Choose Current User, then “Place all certificates in the following store”, and the store Trusted Root Certification Authorities.',
      'Confirm the warning, and restart the browser.',
      'For all accounts, as an administrator: `certutil -addstore -f Root bothy-authority.crt`',
    ],
    mac: [
      'Open the downloaded file. Keychain Access adds it to a keychain.',
      'Open it there with a double click, unfold Trust, and choose Always Trust for “When using this certificate”.',
      'Close the window, enter your password, and restart the browser.',
    ],
    ios: [
      'Open this page in Safari, download the certificate, and allow the profile.',
      'Settings, Profile Downloaded: install it.',
      'Settings, General, About, Certificate Trust Settings: turn the certificate on. Without this step it has no effect.',
    ],
    android: [
      'Download the certificate.',
      'Settings, search for “CA certificate”, and choose Install anyway. The device needs a screen lock.',
      'Choose the file. Chrome uses it at once.',
    ],
    linux: [
      'Debian and Ubuntu: `sudo cp bothy-authority.pem /usr/local/share/ca-certificates/bothy-authority.crt`, then `sudo update-ca-certificates`',
      'Fedora: `sudo trust anchor bothy-authority.pem`',
      'Chrome and Chromium have a list of their own: `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n bothy -i bothy-authority.pem`',
    ],
    firefox: [
      'On Windows and macOS Firefox uses the certificates of the system: install it there.',
      'Elsewhere: Settings, Privacy & Security, View Certificates, Authorities, Import.',
      'Choose “Trust this CA to identify websites”.',
    ],
  } satisfies Record<System, Steps>,
  pem: 'The same as a text file (PEM), for Linux',
  afterwards: 'Then open',
  nothing: {
    secure: 'Nothing to install',
    secureMore: 'The connection to this server is encrypted, and its certificate needs nothing from you.',
    plain: 'This connection is not encrypted',
    plainMore:
      'Browsers allow calls and notifications only over https. Ask the person who runs this server for its https address.',
    elsewhere: 'This server has an https address, which allows calls and notifications:',
    operator:
      'You run this server? The section “HTTPS” of the operator’s page says how to turn it on, also without a public name.',
  },
}

const de: TrustStrings = {
  title: 'Diesem Server vertrauen',
  tab: 'Vertrauen',
  why: 'Das Zertifikat dieses Servers kommt von einer Stelle im eigenen Netz. Das Gerät kennt sie noch nicht, darum warnen Browser, und Anrufe und Meldungen gehen vielleicht nicht. Das Zertifikat der ausstellenden Stelle wird auf jedem Gerät einmal installiert.',
  compare: 'Erst vergleichen',
  careful:
    'Wer den Schlüssel einer solchen Stelle hat, kann sich für Geräte, die ihr vertrauen, als jede Website ausgeben. Den Fingerabdruck am Telefon oder persönlich bei der Person erfragen, die diesen Server betreibt. Nichts installieren, wenn er von diesem abweicht:',
  fingerprint: 'Fingerabdruck (SHA-256)',
  expires: day => `Gültig bis ${day}`,
  download: 'Zertifikat herunterladen',
  install: 'Installieren',
  names: {
    windows: 'Windows',
    mac: 'macOS',
    ios: 'iPhone und iPad',
    android: 'Android',
    linux: 'Linux',
    firefox: 'Firefox',
  },
  steps: {
    windows: [
      'Die Datei öffnen und „Zertifikat installieren“ wählen.',
      '„Aktueller Benutzer“ wählen, dann „Alle Zertifikate in folgendem Speicher speichern“ und den Speicher „Vertrauenswürdige Stammzertifizierungsstellen“.',
      'Die Warnung bestätigen und den Browser neu starten.',
      'Für alle Konten, als Administrator: `certutil -addstore -f Root bothy-authority.crt`',
    ],
    mac: [
      'Die Datei öffnen. Die Schlüsselbundverwaltung nimmt sie in einen Schlüsselbund auf.',
      'Dort doppelt anklicken, „Vertrauen“ aufklappen und bei „Bei Verwendung dieses Zertifikats“ „Immer vertrauen“ wählen.',
      'Das Fenster schließen, das Passwort eingeben und den Browser neu starten.',
    ],
    ios: [
      'Diese Seite in Safari öffnen, das Zertifikat herunterladen und das Profil erlauben.',
      'Einstellungen, „Profil geladen“: installieren.',
      'Einstellungen, Allgemein, Info, Zertifikatsvertrauenseinstellungen: das Zertifikat einschalten. Ohne diesen Schritt wirkt es nicht.',
    ],
    android: [
      'Das Zertifikat herunterladen.',
      'In den Einstellungen nach „CA-Zertifikat“ suchen und „Trotzdem installieren“ wählen. Das Gerät braucht eine Displaysperre.',
      'Die Datei auswählen. Chrome benutzt es sofort.',
    ],
    linux: [
      'Debian und Ubuntu: `sudo cp bothy-authority.pem /usr/local/share/ca-certificates/bothy-authority.crt`, dann `sudo update-ca-certificates`',
      'Fedora: `sudo trust anchor bothy-authority.pem`',
      'Chrome und Chromium haben eine eigene Liste: `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n bothy -i bothy-authority.pem`',
    ],
    firefox: [
      'Unter Windows und macOS benutzt Firefox die Zertifikate des Systems: dort installieren.',
      'Sonst: Einstellungen, Datenschutz & Sicherheit, Zertifikate anzeigen, Zertifizierungsstellen, Importieren.',
      '„Dieser CA vertrauen, um Websites zu identifizieren“ wählen.',
    ],
  },
  pem: 'Dasselbe als Textdatei (PEM), für Linux',
  afterwards: 'Danach öffnen',
  nothing: {
    secure: 'Nichts zu installieren',
    secureMore:
      'Die Verbindung zu diesem Server ist verschlüsselt, und für sein Zertifikat ist nichts zu tun.',
    plain: 'Diese Verbindung ist nicht verschlüsselt',
    plainMore:
      'Browser erlauben Anrufe und Meldungen nur über https. Wer diesen Server betreibt, kennt die https-Adresse.',
    elsewhere: 'Dieser Server hat eine https-Adresse, mit der Anrufe und Meldungen gehen:',
    operator:
      'Der Abschnitt „HTTPS“ der Seite für den Betrieb (auf Englisch) sagt, wie https eingeschaltet wird, auch ohne öffentlichen Namen.',
  },
}

export const trustStringsFor = (req: Request): TrustStrings => (stringsFor(req).language === 'de' ? de : en)
