// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a refresh token used again after the reuse interval ends the session',
    file: 'server/src/platform/auth/refresh-grant.ts',
    find: '        await tables.sessions.end({ userId: session.user_id, only: session.id })\n',
    replace: '',
    tests: ['server/test/conformance/refreshing.test.ts'],
  },
  {
    name: 'concurrent refreshes of one token wait for the lock of its session',
    file: 'server/src/platform/auth/sessions.store.ts',
    find: "        .forUpdate('session')\n",
    replace: '',
    tests: ['server/test/pitfalls/tokens.test.ts'],
  },
  {
    name: 'the auth routes answer 503 and not 500 while the database is unavailable',
    file: 'server/src/platform/auth/protocol.ts',
    find: '  if (isDatabaseUnavailable(error)) {',
    replace: '  if (false) {',
    tests: ['server/test/pitfalls/robustness.test.ts'],
  },
  {
    name: 'an access token of another issuer or audience is refused',
    file: 'server/src/platform/auth/signing-keys.ts',
    find: '      ...token,\n',
    replace: '',
    tests: ['server/src/platform/auth/signing-keys.test.ts'],
  },
  {
    name: 'an immediate key rotation retires the other signing keys at once',
    file: 'server/src/platform/auth/signing-keys.store.ts',
    find: "const after = kind === 'immediate' ? 0 : PUBLISHED_AHEAD + VERIFIES_AFTER",
    replace: 'const after = PUBLISHED_AHEAD + VERIFIES_AFTER',
    tests: ['server/src/platform/auth/signing-keys.test.ts'],
  },
  {
    name: 'a mailed code or link that is presented several times at once opens one session',
    file: 'server/src/platform/auth/verify.service.ts',
    find: '!user || !(await tables.tokens.consume(kept.linkHash))',
    replace: '!user || (await tables.tokens.consume(kept.linkHash)) === undefined',
    tests: ['server/test/conformance/mail-codes.test.ts'],
  },
  {
    name: 'an expired mail token is refused',
    file: 'server/src/platform/auth/one-time-tokens.store.ts',
    find: "      .where('token.expires_at', '>', sql<string>`now()`)\n",
    replace: '',
    tests: ['server/test/conformance/mail-codes.test.ts'],
  },
  {
    name: 'the exchange of an auth code requires the verifier of its PKCE challenge',
    file: 'server/src/platform/auth/verify.service.ts',
    find: 'if (!matchesCodeChallenge(flow.code_challenge, verifier)) {',
    replace: 'if (matchesCodeChallenge(flow.code_challenge, verifier) === undefined) {',
    tests: ['server/test/conformance/pkce.test.ts'],
  },
  {
    name: 'a GET of a mail link does not use its token up',
    file: 'server/src/platform/auth/verify.routes.ts',
    find: 'await auth.verification.check(token, type, callerOf(request))',
    replace: 'await auth.verification.confirm(token, type, callerOf(request))',
    tests: ['server/test/conformance/mail-links.test.ts'],
  },
  {
    name: 'a new password invalidates the mail links that were sent before',
    file: 'server/src/platform/auth/account.service.ts',
    find: '          await tables.tokens.deleteOfUser(user.id)\n',
    replace: '',
    tests: ['server/test/pitfalls/tokens.test.ts'],
  },
  {
    name: 'a sign-in under way with the old password fails once the password is changed',
    file: 'server/src/platform/auth/sessions.service.ts',
    find: ' && now.password_hash === user.password_hash',
    replace: '',
    tests: ['server/test/pitfalls/takeover.test.ts'],
  },
]
