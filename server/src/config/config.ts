import { isAbsolute, relative, resolve } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import {
  Environment,
  type Given,
  isLoopback,
  isTrusted,
  localAddress,
  unknownNames,
} from './config-variables.ts'
import type { MetaSettings, OidcSettings } from './providers.ts'

type S3Config = {
  bucket: string
  /** Undefined: Amazon S3. */
  endpoint: string | undefined
  region: string
  keys: { id: string; secret: string } | undefined
}

/** Where back-ups are: a folder, or a folder of a bucket. */
export type BackupPlace = { folder: string } | { s3: S3Config; folder: string }

type BackupConfig = { to: BackupPlace; key: BackupKeyConfig }

/** The encryption key as text, or the path of the file with it, which is made when there is none. */
export type BackupKeyConfig = { text: string } | { file: string }

type CloudinaryConfig = {
  cloud: string
  key: string
  secret: string
  uploadPreset: string | undefined
  folder: string
  apiUrl: string
}

export type Config = {
  port: number
  host: string
  /** The public base URL, without a trailing slash. */
  publicUrl: string
  dataDir: string
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** A pooler of the same database. */
  databasePoolUrl: string | undefined
  demo: boolean
  /** Seconds for which a server that is told to stop still answers, so that a proxy sees that it is not ready. */
  drainSeconds: number
  /** Undefined: generated at the first start and stored in `dataDir`. */
  appSecret: string | undefined
  airtable: { token: string | undefined; apiUrl: string }
  /** Seconds between two new orders in the demo; 0 for none. */
  demoOrderEvery: number
  auth: {
    signup: boolean
    anonymous: boolean
    /** The key with which other servers administer users and files. */
    adminKey: string | undefined
    /** Origins of other sites that may call the server (CORS), and that redirect URLs may lead to. */
    origins: string[]
    /** Whether administrators are required to enrol a second factor. */
    adminFactor: 'optional' | 'required'
    /** Whether a new password requires the current one, or another proof of this hour. */
    currentPassword: 'optional' | 'required'
    oidc: OidcSettings | undefined
  }
  mail: {
    /** Undefined: mails are written to files in `dataDir`. */
    smtpUrl: string | undefined
    from: string
  }
  /** Undefined: files are stored in `dataDir`. Without keys, the default credential chain of AWS is used. */
  s3: S3Config | undefined
  /** Undefined: this server makes no back-ups. */
  backups: BackupConfig | undefined
  /** The account for places of back-ups in S3; see `backupPlaceOf`. */
  s3Account: Omit<S3Config, 'bucket'>
  /** Of BACKUP_KEY or BACKUP_KEY_FILE. */
  backupKey: BackupKeyConfig | undefined
  /** Undefined: pictures are stored with the other files. */
  cloudinary: CloudinaryConfig | undefined
  /** The URL template of product pictures, with `{minsan}` for the product code. */
  productImageUrl: string | undefined
  /** The webhook that drafts product texts. */
  aiWebhookUrl: string | undefined
  /** The register of medicines: an address, or a file (`file:`). */
  medicineRegisterUrl: string | undefined
  /** The application at Meta; undefined: pharmacies cannot connect WhatsApp. */
  meta: MetaSettings | undefined
  /** Origins that outbound requests may reach although they are private or without TLS. */
  outboundAllow: string[]
  /** The host names on which a page load clears the browser storage. */
  previewHosts: string[]
  trustProxy: boolean | number | string[]
  logLevel: string
  /** The port of `/metrics`; undefined: there are no metrics. */
  metricsPort: number | undefined
  /** Statements that take longer are logged; 0: none. */
  slowStatementMs: number
  /** The names of variables that look like settings but are none. */
  unknownNames: string[]
}

/**
 * Reads the configuration from the environment. Empty variables count as unset.
 *
 * @throws StartupError that lists all mistakes
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const parsed = Environment.safeParse(Object.fromEntries(set))
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new StartupError(`The configuration has mistakes: ${mistakes.join('; ')}.`)
  }
  const given = parsed.data
  const publicUrl = (given.PUBLIC_URL ?? localAddress(given.HOST, given.PORT)).replace(/\/+$/, '')
  const configured = given.DATABASE_URL ?? given.AIRTABLE_TOKEN ?? given.PUBLIC_URL
  const demo = given.DEMO ? given.DEMO === '1' : configured === undefined
  if (demo && !given.DEMO && !isLoopback(given.HOST)) {
    throw new StartupError(
      `With HOST=${given.HOST} others could reach the demo, whose passwords everybody knows: ` +
        'set DEMO=1 if they are meant to, or DEMO=0 and a new DATA_DIR for real use.',
    )
  }
  if (given.DATABASE_POOL_URL && !given.DATABASE_URL)
    throw mistake('DATABASE_POOL_URL belongs to the database of DATABASE_URL, which is missing')
  if (given.METRICS_PORT === given.PORT) throw mistake('METRICS_PORT must not be PORT')
  return {
    port: given.PORT,
    host: given.HOST,
    publicUrl,
    dataDir: resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    databasePoolUrl: given.DATABASE_POOL_URL,
    drainSeconds: given.DRAIN_SECONDS,
    demo,
    appSecret: given.APP_SECRET,
    airtable: { token: given.AIRTABLE_TOKEN, apiUrl: given.AIRTABLE_API_URL },
    demoOrderEvery: given.DEMO_ORDER_EVERY,
    auth: {
      signup: given.AUTH_SIGNUP === '1',
      anonymous: given.AUTH_ANONYMOUS === '1',
      adminKey: given.AUTH_ADMIN_KEY,
      origins: given.AUTH_ORIGINS,
      adminFactor: given.ADMIN_MFA ?? (demo ? 'optional' : 'required'),
      currentPassword: given.AUTH_CURRENT_PASSWORD,
      oidc: oidcOf(given),
    },
    mail: {
      smtpUrl: given.SMTP_URL,
      from: given.MAIL_FROM ?? `Bancone <no-reply@${new URL(publicUrl).hostname}>`,
    },
    s3: given.S3_BUCKET ? { bucket: given.S3_BUCKET, ...s3AccountOf(given) } : undefined,
    backups: backupsOf(given),
    s3Account: s3AccountOf(given),
    backupKey: backupKeyOf(given),
    cloudinary: cloudinaryOf(given),
    productImageUrl: given.PRODUCT_IMAGE_URL,
    aiWebhookUrl: given.AI_WEBHOOK_URL,
    medicineRegisterUrl: given.AIC_REGISTER_URL,
    meta: metaOf(given),
    outboundAllow: given.OUTBOUND_ALLOW,
    previewHosts: given.PREVIEW_HOSTS,
    trustProxy: given.TRUST_PROXY,
    logLevel: given.LOG_LEVEL,
    metricsPort: given.METRICS_PORT,
    slowStatementMs: given.SLOW_STATEMENT_MS,
    unknownNames: unknownNames(set.map(([name]) => name)),
  }
}

function backupsOf(given: Given): BackupConfig | undefined {
  const key = backupKeyOf(given)
  if (!given.BACKUP_TO) return undefined
  if (!key) throw mistake('BACKUP_TO needs BACKUP_KEY_FILE or BACKUP_KEY')
  const place = { dataDir: resolve(given.DATA_DIR), s3Account: s3AccountOf(given) }
  return { to: backupPlaceOf(given.BACKUP_TO, place), key }
}

function backupKeyOf({ BACKUP_KEY: text, BACKUP_KEY_FILE: path, DATA_DIR }: Given) {
  if (text && path) throw mistake('BACKUP_KEY and BACKUP_KEY_FILE exclude each other')
  if (path && isWithin(resolve(path), resolve(DATA_DIR))) {
    throw mistake('BACKUP_KEY_FILE must be outside DATA_DIR, which may be lost with the machine')
  }
  if (text) return { text }
  return path ? { file: resolve(path) } : undefined
}

/** Reads a place of back-ups as in BACKUP_TO: a folder, or `s3://bucket/folder`. @throws StartupError */
export function backupPlaceOf(
  text: string,
  config: Pick<Config, 'dataDir' | 's3Account'>,
): BackupPlace {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)\/?(.*)$/.exec(text) ?? []
  if (bucket) {
    const folder = prefix.replace(/\/+$/, '') || 'bancone'
    return { s3: { ...config.s3Account, bucket }, folder }
  }
  if (/^\w+:\/\//.test(text)) throw mistake('back-ups go to a folder or to s3://bucket/folder')
  const folder = resolve(text)
  if (isWithin(folder, config.dataDir)) throw mistake('back-ups must be outside DATA_DIR')
  return { folder }
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}

function s3AccountOf(given: Given): Omit<S3Config, 'bucket'> {
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = given
  if (!id !== !secret) throw mistake('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together')
  return {
    endpoint: given.S3_ENDPOINT,
    region: given.S3_REGION,
    keys: id && secret ? { id, secret } : undefined,
  }
}

/**
 * For the server. A command takes its bucket from its arguments.
 *
 * @throws StartupError when there is an account for S3, but no bucket
 */
export function requireBucket({ s3, s3Account, backups }: Config): void {
  const isUsed = s3 !== undefined || (backups !== undefined && 's3' in backups.to)
  if (!isUsed && (s3Account.endpoint || s3Account.keys)) throw mistake('S3_BUCKET is missing')
}

function oidcOf(given: Given): OidcSettings | undefined {
  const { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_CLIENT_ID: clientId } = given
  const { AUTH_OIDC_CLIENT_SECRET: clientSecret, AUTH_OIDC_PROVIDER: provider } = given
  if (!issuer && !clientId && !clientSecret) return undefined
  if (!issuer || !clientId || !clientSecret) {
    throw mistake('AUTH_OIDC_ISSUER, AUTH_OIDC_CLIENT_ID and AUTH_OIDC_CLIENT_SECRET go together')
  }
  // The issuer's responses decide who is signed in.
  if (!isTrusted(issuer)) {
    throw mistake('AUTH_OIDC_ISSUER must be an https address, or be on this machine')
  }
  const name = given.AUTH_OIDC_NAME ?? provider
  return { provider, name, issuer, clientId, clientSecret }
}

function cloudinaryOf(given: Given): CloudinaryConfig | undefined {
  if (!given.CLOUDINARY_URL) return undefined
  const { hostname, username, password } = new URL(given.CLOUDINARY_URL)
  return {
    cloud: hostname,
    key: username,
    secret: password,
    uploadPreset: given.CLOUDINARY_UPLOAD_PRESET,
    folder: given.CLOUDINARY_FOLDER,
    apiUrl: given.CLOUDINARY_API_URL,
  }
}

function metaOf(given: Given): MetaSettings | undefined {
  const { META_APP_ID: appId, META_APP_SECRET: appSecret, META_CONFIG_ID: configId } = given
  const { META_WEBHOOK_VERIFY_TOKEN: verifyToken, META_GRAPH_URL: graphUrl } = given
  if (!appId && !appSecret && !configId && !verifyToken && !graphUrl) return undefined
  if (!appId || !appSecret || !configId || !verifyToken) {
    throw mistake(
      'META_APP_ID, META_APP_SECRET, META_CONFIG_ID and META_WEBHOOK_VERIFY_TOKEN go together',
    )
  }
  if (graphUrl && !isTrusted(graphUrl))
    throw mistake('META_GRAPH_URL must be an https address, or be on this machine')
  return { appId, appSecret, configId, verifyToken, graphUrl }
}

function mistake(what: string): StartupError {
  return new StartupError(`The configuration has mistakes: ${what}.`)
}
