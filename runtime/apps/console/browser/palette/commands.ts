import { showHelp } from '../keyboard-help.ts';
import { favourites, viewsOf } from '../list/views.ts';
import type { Resource } from '../model.ts';
import type { Session } from '../reference.ts';
import { hrefOf, navigate } from '../route.ts';
import { importInto } from '../shell/import-into.ts';
import { activityOf, mayCreate, visibleAreas } from '../shell/places.ts';
import { texts } from '../texts.ts';
import { chooseTheme, themes } from '../theme.ts';
import type { Command, Group } from './command.ts';

export interface PaletteProps {
  readonly session: Session;
  readonly signOut: () => Promise<void>;
}

const link = (href: string, label: string, hint?: string): Command => ({
  key: href,
  label,
  ...(hint !== undefined && { hint }),
  run: () => navigate(href),
});

const resourcesOf = (session: Session): readonly Resource[] =>
  visibleAreas(session).flatMap(({ resources }) => resources);

/** The buttons and links at the head of the page, by which a list or a record is acted upon, also those in a menu. */
function actionsOfPage(): readonly Command[] {
  const controls = document.querySelectorAll<HTMLElement>(
    '#main :is(.list-head, .record-actions) :is(button:not(:disabled, [aria-disabled="true"], [aria-expanded], [aria-haspopup]), a:is(.button, [role]))',
  );
  return [...controls].map((control, at) => ({
    key: `page ${at}`,
    label: control.ariaLabel ?? control.textContent.trim(),
    run: () => control.click(),
  }));
}

/** The pages that the side bar leads to. */
function pages(session: Session): readonly Command[] {
  const activity = activityOf(session);
  return [
    link('#/', texts.palette.start),
    ...(activity ? [link(hrefOf(activity.route), activity.title)] : []),
    ...resourcesOf(session).map(({ route, plural, area }) => link(hrefOf(route), plural, area)),
  ];
}

/** Actions of every page. */
function actions({ session, signOut }: PaletteProps): readonly Command[] {
  const creatable = resourcesOf(session).filter((resource) => mayCreate(session, resource));
  // The list that is shown has a button of its own, which shows the new records, too.
  const isShown = ({ route }: Resource): boolean => location.hash.split('?')[0] === hrefOf(route);
  return [
    ...creatable.map(({ route, title, area }) => link(hrefOf(route, 'new'), texts.palette.create(title), area)),
    ...creatable
      .filter((resource) => !isShown(resource))
      .map((resource) => ({
        key: `import ${resource.route}`,
        label: texts.palette.importInto(resource.plural),
        hint: resource.area,
        run: () => importInto(session, resource),
      })),
    ...themes.map((theme) => ({
      key: `theme ${theme}`,
      label: texts.palette.chooseTheme(texts.shell.themes[theme]),
      run: () => chooseTheme(theme),
    })),
    { key: 'keys', label: texts.keys.title, run: showHelp },
    { key: 'reference', label: texts.shell.reference, run: () => location.assign('docs') },
    { key: 'sign out', label: texts.shell.signOut, run: signOut },
  ];
}

/** Lists with a name, first those of the start page. */
function views(session: Session): readonly Command[] {
  const ofResources = resourcesOf(session).flatMap((resource) =>
    viewsOf(resource.route).map((view) => ({ view, resource })),
  );
  const first = new Set(favourites().map(({ resource, name }) => `${resource} ${name}`));
  const isFirst = ({ view }: (typeof ofResources)[number]): boolean => first.has(`${view.resource} ${view.name}`);
  return [...ofResources.filter(isFirst), ...ofResources.filter((entry) => !isFirst(entry))].map(
    ({ view: { resource, name, parameters }, resource: { plural } }) => ({
      ...link(hrefOf(resource, undefined, new URLSearchParams(parameters)), name, plural),
      key: `view ${resource} ${name}`,
    }),
  );
}

/** All that can be found without the server. @param recent records that were opened in this browser */
export const localGroups = (props: PaletteProps, recent: readonly Command[]): readonly Group[] => [
  { title: texts.palette.onPage, commands: actionsOfPage() },
  { title: texts.palette.recent, commands: recent },
  { title: texts.views.views, commands: views(props.session) },
  { title: texts.palette.pages, commands: pages(props.session) },
  { title: texts.palette.actions, commands: actions(props) },
];
