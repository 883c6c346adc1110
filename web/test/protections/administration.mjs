// @ts-check

const features = 'web/src/features'
const pharmacies = `${features}/admin-pharmacies`
const list = [`${pharmacies}/pharmacies-page.test.tsx`]
const form = [`${pharmacies}/form/pharmacy-form.test.tsx`]
const plans = [`${features}/subscription-plans/plans-page.test.tsx`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'what an administrator searches for is not sent to the server',
    file: `${pharmacies}/pharmacies-address.ts`,
    find: '#q=',
    replace: '?q=',
    tests: list,
    only: 'the search finds by code',
  },
  {
    name: 'a pharmacy is not switched again before the server has answered',
    file: `${pharmacies}/pharmacy-parts.tsx`,
    find: '      aria-disabled={busy || undefined}\n',
    replace: '',
    tests: list,
    only: 'the status is switched at once',
  },
  {
    name: 'the password of a pharmacy is not stored in the browser',
    file: `${pharmacies}/form/pharmacy-draft.ts`,
    find: `{ ...PharmacyDraft.parse(draft), password: '' }`,
    replace: 'PharmacyDraft.parse(draft)',
    tests: form,
    only: 'leaving with changes asks first',
  },
  {
    name: 'leaving a changed pharmacy asks before the changes are lost',
    file: `${pharmacies}/form/pharmacy-form.tsx`,
    find: `onClick={() => (unsaved ? setAsks('leave') : onClose())}`,
    replace: 'onClick={onClose}',
    tests: form,
  },
  {
    name: 'an old session can set the password of a pharmacy after a proof of identity',
    file: `${pharmacies}/form/pharmacy-form.tsx`,
    find: `        setAsks('password')\n`,
    replace: '',
    tests: form,
  },
  {
    name: 'a pharmacy without a typed password gets a link instead',
    file: `${pharmacies}/form/pharmacy-draft.ts`,
    find: `draft.access === 'password' ? draft.password : ''`,
    replace: 'draft.password',
    tests: form,
    only: 'a pharmacy is created with a link by mail',
  },
  {
    name: 'choosing a plan copies what it grants',
    file: `${pharmacies}/form/plan-section.tsx`,
    find: `    setValue('features_enabled', grants.features_enabled)\n`,
    replace: '',
    tests: form,
  },
  {
    name: 'an edit of a plan is saved only after its effects were accepted',
    file: `${features}/subscription-plans/plan-sheet.tsx`,
    find: 'if (!(await confirms(plan.id, body))) return',
    replace: 'void confirms(plan.id, body)',
    tests: plans,
    only: 'before an edit is saved',
  },
  {
    name: 'the refusal to delete a plan has the number of its pharmacies',
    file: `${features}/subscription-plans/delete-plan-dialog.tsx`,
    find: '      explain={removalFailure}\n',
    replace: '',
    tests: plans,
    only: 'a plan in use is kept',
  },
  {
    name: 'the focus does not get lost with a value that is put back',
    file: `${pharmacies}/form/plan-section.tsx`,
    find: '<div ref={going}>',
    replace: '<div>',
    tests: form,
    only: 'an edit marks what differs from the plan',
  },
]
