CREATE TABLE "error_merges" (
	"project_id" uuid NOT NULL,
	"error_id" text NOT NULL,
	"target_id" text NOT NULL,
	"merged_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "error_merges_project_id_error_id_pk" PRIMARY KEY("project_id","error_id")
);
--> statement-breakpoint
ALTER TABLE "error_states" ADD COLUMN "assignee" uuid;--> statement-breakpoint
ALTER TABLE "error_merges" ADD CONSTRAINT "error_merges_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_states" ADD CONSTRAINT "error_states_assignee_users_id_fk" FOREIGN KEY ("assignee") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "error_states_assignee" ON "error_states" USING btree ("assignee");