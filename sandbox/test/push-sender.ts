import { createECDH, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { encrypt } from 'http_ece'
import type { SandboxSubscription } from '../src/push-service/device.ts'

/** The VAPID key of an application server, and its signatures. */
export function createPushKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ])
  return {
    key: point.toString('base64url'),
    token(claims: object, header: object = { typ: 'JWT', alg: 'ES256' }) {
      const text = [header, claims].map(base64urlJson).join('.')
      const signature = sign('sha256', Buffer.from(text), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${text}.${signature.toString('base64url')}`
    },
  }
}

export function sealFor({ keys }: SandboxSubscription, text: string): Buffer {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return encrypt(Buffer.from(text), {
    version: 'aes128gcm',
    privateKey: pair,
    dh: keys.p256dh,
    salt: randomBytes(16).toString('base64url'),
    authSecret: keys.auth,
  })
}

function base64urlJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
