// @ts-check

const routes = 'web/src/app/routes'
const features = 'web/src/features'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'an offer whose answer was lost is sent again under the same id',
    file: `${features}/offers/form/use-offer-saving.ts`,
    find: 'sentAs ?? crypto.randomUUID()',
    replace: 'crypto.randomUUID()',
    tests: [`${routes}/offers/offer-sending.test.tsx`],
  },
  {
    name: 'the idempotency key of a new order is stored before the order is sent',
    file: `${features}/orders/new-order/use-create-order.ts`,
    find: '    saveOrderDraft({ attempt })\n',
    replace: '',
    tests: [`${features}/orders/new-order/new-order.test.tsx`],
  },
  {
    name: 'saving an incomplete offer moves the focus to the first invalid field',
    file: `${routes}/offers/offer-form.tsx`,
    find: '  for (const name of fieldsInOrder) register(name)\n',
    replace: '',
    tests: [`${routes}/offers/offer-making.test.tsx`],
    only: 'the first invalid field of the page gets the focus',
  },
  {
    name: 'cancelling a changed offer asks before the changes are lost',
    file: `${routes}/offers/offer-editor.tsx`,
    find: 'onCancel={() => (unsaved ? setCloses(true) : close())}',
    replace: 'onCancel={close}',
    tests: [`${routes}/offers/offer-changing.test.tsx`],
  },
  {
    name: 'an invitation that is being sent cannot be submitted twice',
    file: `${features}/colleagues/invite-sheet.tsx`,
    find: 'look="primary" className="flex-1" inactive={busy}',
    replace: 'look="primary" className="flex-1"',
    tests: [`${features}/colleagues/invite-sheet.test.tsx`],
  },
  {
    name: 'a new API key cannot be dismissed with Escape before it was copied',
    file: `${features}/api-keys/new-key-sheet.tsx`,
    find: 'onClose={made === null ? onClose : () => setHurried(hurried + 1)}',
    replace: 'onClose={onClose}',
    tests: [`${features}/api-keys/api-keys-page.test.tsx`],
  },
  {
    name: 'the browser asks before unsaved recovery codes are lost',
    file: `${features}/account/new-recovery-codes.tsx`,
    find: '  useBeforeUnloadPrompt(true)\n',
    replace: '',
    tests: [`${features}/account/second-factor-section.test.tsx`],
  },
  {
    name: 'a new password must be repeated the same',
    file: 'web/src/lib/new-password.ts',
    find: `({ password, repeat }) => repeat === '' || repeat === password`,
    replace: '() => true',
    tests: [`${routes}/reset-password.test.tsx`],
  },
  {
    name: 'a picture that arrives keeps what was typed while it was uploaded',
    file: `${features}/images/use-image-upload.ts`,
    find: 'latestHandler.current(image)',
    replace: 'onUploaded(image)',
    tests: [`${features}/images/image-field.test.tsx`],
  },
  {
    name: 'a private note that is being written is kept as a draft',
    file: `${features}/orders/details/note-form.tsx`,
    find: `saveDraft(draft, next === stored ? '' : next)`,
    replace: '',
    tests: [`${routes}/dashboard-notes.test.tsx`],
  },
  {
    name: 'the same failure a second time is announced again',
    file: 'web/src/ui/failure-alert.tsx',
    find: '<Alert key={failure.count} tone="error">',
    replace: '<Alert tone="error">',
    tests: ['web/src/ui/failure-alert.test.tsx'],
  },
  {
    name: 'the first wrong field of a profile gets the focus',
    file: 'web/src/features/pharmacy-profile/profile-form.tsx',
    find: 'if (submitCount === 0) return',
    replace: 'if (submitCount >= 0) return',
    tests: ['web/src/app/routes/pharmacy-profile/pharmacy-profile.test.tsx'],
  },
  {
    name: 'a profile is not saved while its logo is being sent',
    file: 'web/src/features/pharmacy-profile/profile-form.tsx',
    find: 'inactive={isSubmitting || sending}',
    replace: 'inactive={isSubmitting}',
    tests: ['web/src/app/routes/pharmacy-profile/pharmacy-profile.test.tsx'],
  },
  {
    name: 'a pharmacy is not purged before its code is typed',
    file: 'web/src/ui/code-dialog.tsx',
    find: `
      setWrong(true)
      return`,
    replace: `
      setWrong(true)`,
    tests: [`${features}/admin-pharmacies/deleted/deleted-pharmacies-page.test.tsx`],
  },
]
