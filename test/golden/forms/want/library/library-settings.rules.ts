// Generated from spec/library/library-settings.yaml. Edit the spec, then run `npm run generate`.
import { logic } from '../../runtime/features/rules/expressions/index.ts';
import type { LibrarySettings } from './library-settings.client.ts';

export const librarySettingsLogic = logic<LibrarySettings>({
  url: import.meta.url,
  name: 'librarySettingsLogic',
  form: {
    Fees: ({ has_fees }) => has_fees === true,
  },
});
