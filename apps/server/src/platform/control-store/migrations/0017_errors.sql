CREATE TABLE "error_states" (
	"project_id" uuid NOT NULL,
	"error_id" text NOT NULL,
	"state" text NOT NULL,
	"after_release" text,
	"note" text NOT NULL,
	"changed_by" uuid,
	"changed_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "error_states_project_id_error_id_pk" PRIMARY KEY("project_id","error_id")
);
--> statement-breakpoint
ALTER TABLE "error_states" ADD CONSTRAINT "error_states_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_states" ADD CONSTRAINT "error_states_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;