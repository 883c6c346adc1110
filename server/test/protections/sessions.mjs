// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'an ended session is forgotten by every other process at once',
    file: 'server/src/wiring-people.ts',
    find: 'for (const id of ended) sessions.markEnded(id)',
    replace: '',
    tests: ['server/src/features/account/account.test.ts'],
  },
  {
    name: 'a value that was invalidated while it was loaded is not cached',
    file: 'server/src/platform/cache.ts',
    find: 'if (isValid(tagsOf?.(value, key))) entries.set(key, { value, version })',
    replace: 'entries.set(key, { value, version })',
    tests: ['server/src/platform/cache.test.ts', 'server/src/http/session.test.ts'],
  },
  {
    name: 'a change of the level of a session is announced to all processes',
    file: 'server/src/database/migrations/0010_account_security.sql',
    find: `create trigger auth_sessions__level after update of aal on auth_sessions
  for each row when (old.aal is distinct from new.aal)
  execute function tell_of_changed_account('user_id');`,
    replace: '',
    tests: ['server/test/access-news.test.ts'],
  },
  {
    name: 'an access token issued at AAL1 does not rise to AAL2 with its session',
    file: 'server/src/platform/auth/sessions.service.ts',
    find: 'return { ...user, aal: minAal(token.aal, user.aal) }',
    replace: 'return user',
    tests: ['server/test/access-levels.test.ts'],
  },
  {
    name: 'verification of the second factor ends the other sessions at AAL1',
    file: 'server/src/platform/auth/sessions.service.ts',
    find: 'const ended = await tables.sessions.end(others)',
    replace: 'const ended: string[] = others ? [] : []',
    tests: ['server/test/conformance/factors.test.ts'],
  },
  {
    name: 'a refresh token issued at AAL1 is never exchanged for one at AAL2',
    file: 'server/src/platform/auth/refresh-grant.ts',
    find: "if (verdict === 'retry-later') return { refused: 'request_timeout' } as const",
    replace: '',
    tests: ['server/test/pitfalls/second-factor.test.ts'],
  },
  {
    name: 'a recovery code is accepted once',
    file: 'server/src/platform/auth/recovery-codes.store.ts',
    find: `
        .where('used_at', 'is', null)`,
    replace: '',
    tests: ['server/test/conformance/recovery-codes.test.ts'],
  },
  {
    name: 'attempts at the second factor are limited',
    file: 'server/src/platform/auth/attempt-limits.ts',
    find: 'for (const count of counted) await limits.take(count).catch(tooManyRequests)',
    replace: '',
    tests: ['server/test/pitfalls/second-factor-guessing.test.ts'],
  },
  {
    name: 'enrolment of a first factor requires recent authentication',
    file: 'server/src/platform/auth/factors.service.ts',
    find: "        await reauthentication.requireRecent(session, 'Enrolling a factor')\n",
    replace: '',
    tests: ['server/test/conformance/presence.test.ts'],
  },
  {
    name: 'an address or password set by an administrator ends all sessions of the user',
    file: 'server/src/platform/auth/admin.service.ts',
    find: 'const sessions = locksOut ? await tables.sessions.end({ userId: id }) : []',
    replace: 'const sessions: string[] = []',
    tests: ['server/test/pitfalls/takeover.test.ts'],
  },
  {
    name: 'ADMIN_MFA=required denies an administrator without a second factor the auth API',
    file: 'server/src/platform/auth/admin.routes.ts',
    find: "const needsFactor = isEnrolled(user) || auth.settings.adminFactor === 'required'",
    replace: 'const needsFactor = isEnrolled(user)',
    tests: ['server/test/pitfalls/second-factor.test.ts'],
  },
  {
    name: 'colleagues are denied access while the own account of the pharmacy is closed',
    file: 'server/src/features/pharmacies/pharmacies.store.ts',
    find: 'const is_active = row.is_active === true && row.has_owner',
    replace: 'const is_active = row.is_active === true',
    tests: ['server/src/features/colleagues/colleagues-removal.test.ts'],
  },
  {
    name: 'a deactivated pharmacy loses access to its storage folder',
    file: 'server/src/http/pharmacy-folders.ts',
    find: 'folder: pharmacy?.isActive ? pharmacy.id : null',
    replace: 'folder: pharmacy ? pharmacy.id : null',
    tests: ['server/test/conformance/storage/links.test.ts'],
  },
  {
    name: 'a session ends after its days, however much it is used',
    file: 'server/src/platform/auth/refresh-grant.ts',
    find: ' || age > sessionDays * DAY_MS',
    replace: '',
    tests: ['server/test/pitfalls/tokens.test.ts'],
  },
  {
    name: 'an administrator in an old session re-authenticates before changing the accounts of others',
    file: 'server/src/platform/auth/admin.routes.ts',
    find: "if (needs === 'fresh') {",
    replace: "if (needs === 'fresh' && aal === 'aal1' && isEnrolled(user)) {",
    tests: ['server/test/access-auth.test.ts'],
  },
  {
    name: 'with AUTH_CURRENT_PASSWORD a new password requires the current one',
    file: 'server/src/platform/auth/account.service.ts',
    find: '        await reauthentication.requireMailProof(session)\n',
    replace: '',
    tests: ['server/test/conformance/presence.test.ts'],
  },
  {
    name: 'an old session does not turn off a second factor',
    file: 'server/src/platform/auth/factors.service.ts',
    find: "        await reauthentication.requireRecent(session, 'Removing a factor')\n",
    replace: '',
    tests: ['server/test/conformance/presence.test.ts'],
  },
]
