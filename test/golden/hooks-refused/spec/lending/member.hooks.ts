export const codes = text();
export const beforeCreate = () => {;
