// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a picture with too many pixels is refused before it is decoded',
    file: 'server/src/adapters/sharp-pictures/picture-rendering.ts',
    find: "  if (isTooWide(format, found)) return 'too_wide'\n",
    replace: '',
    tests: ['server/src/adapters/sharp-pictures/hostile-pictures.test.ts'],
  },
  {
    name: 'the process that decodes pictures has no secrets in its environment',
    file: 'server/src/adapters/sharp-pictures/picture-worker.ts',
    find: "env: { MALLOC_ARENA_MAX: '2' },",
    replace: "env: { ...process.env, MALLOC_ARENA_MAX: '2' },",
    tests: ['server/src/adapters/sharp-pictures/picture-process.test.ts'],
  },
  {
    name: 'a picture that takes too much CPU time is given up as unreadable',
    file: 'server/src/adapters/sharp-pictures/picture-process.ts',
    find: 'if ((user + system) / 1000 < task.computeMs) return',
    replace: 'if (user + system >= 0) return',
    tests: ['server/src/adapters/sharp-pictures/picture-process.test.ts'],
  },
  {
    name: 'a page that claims to be a picture is stored under its true type',
    file: 'server/src/platform/storage/uploads.ts',
    find: 'isPacked ? claimed : await detectContentType(claimed, await readSample(file))',
    replace:
      'isPacked || claimed ? claimed : await detectContentType(claimed, await readSample(file))',
    tests: ['server/src/platform/storage/send-file.test.ts'],
  },
  {
    name: 'an attachment that is kept as it is is downloaded and never shown',
    file: 'server/src/features/orders/images/order-images.routes.ts',
    find: "file.isPicture ? 'inline' : 'attachment'",
    replace: "'inline'",
    tests: ['server/test/order-pictures.test.ts'],
  },
  {
    name: 'a stored script is served as plain text',
    file: 'server/src/platform/storage/send-file.ts',
    find: "SCRIPT.test(plainType(file)) ? 'text/plain;charset=utf-8' : file.content_type",
    replace: 'file.content_type',
    tests: ['server/test/pitfalls/storage.test.ts'],
  },
  {
    name: 'a listing shows a pharmacy no folder but its own',
    file: 'server/src/platform/storage/lists.service.ts',
    find: 'if (!canAccess(principal, folder.parent)) {',
    replace: 'if (!principal) {',
    tests: ['server/src/platform/storage/lists.test.ts'],
  },
  {
    name: 'a signed URL ends when its signer loses access',
    file: 'server/src/platform/storage/signed-urls.ts',
    find: '    await requireSignerAccess(claims.owner, location.name)\n',
    replace: '',
    tests: ['server/test/conformance/storage/links.test.ts'],
  },
  {
    name: 'the file of a replaced object is removed',
    file: 'server/src/platform/storage/objects.service.ts',
    find: '      if (replaced !== undefined) await removeUnused([replaced])\n',
    replace: '',
    tests: ['server/src/platform/storage/quota.test.ts'],
  },
  {
    name: 'the bytes of a rejected upload are removed',
    file: 'server/src/platform/storage/objects.service.ts',
    find: '      await removeUnused([key])\n',
    replace: '',
    tests: ['server/src/platform/storage/quota.test.ts'],
  },
  {
    name: 'a file is recorded in the database before it is written',
    file: 'server/src/platform/stored-files.ts',
    find: '      await rows.register(key, originalKey ?? null)\n',
    replace: '',
    tests: ['server/src/platform/stored-files.test.ts'],
  },
  {
    name: 'an outbound request is refused when any address of the host name is private',
    file: 'server/src/platform/outbound-connection.ts',
    find: '!found.every(({ address }) => isPublicAddress(address))',
    replace: '!isPublicAddress(first.address)',
    tests: ['server/src/platform/outbound.test.ts'],
  },
  {
    name: 'a redirect to another origin carries no credentials',
    file: 'server/src/platform/outbound.ts',
    find: 'if (next.origin !== url.origin) sent = { ...sent, headers: safeHeaders(sent.headers) }',
    replace: "if (next.origin === '') sent = { ...sent, headers: safeHeaders(sent.headers) }",
    tests: ['server/src/platform/outbound.test.ts'],
  },
  {
    name: 'an upload to S3 is signed with the hash of its content',
    file: 'server/src/adapters/s3-files/s3-files.ts',
    find: "args.request.headers['x-amz-content-sha256'] = digest",
    replace: 'void digest',
    tests: ['server/src/adapters/s3-files/s3-files.test.ts'],
  },
]
